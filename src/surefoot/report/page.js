"use strict";
(() => {
  const config = JSON.parse(document.getElementById("look")?.textContent ?? "null") ?? window.surefoot.look;
  const column = (packed) =>
    packed.runs?.flatMap(([word, times]) => Array(times).fill(word)) ?? (packed.of ? Array(packed.times).fill(packed.of).flat() : packed);
  const unpacked = ({ columns }) => {
    const found = Object.entries(columns).map(([name, packed]) => [name, column(packed)]);
    return found[0][1].map((_, i) => Object.fromEntries(found.map(([name, values]) => [name, values[i]])));
  };
  const tooltip = { theme: "surefoot" };
  for (const figure of document.querySelectorAll("figure.card")) {
    const box = figure.querySelector(".chart");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    for (const [name, rows] of Object.entries(spec.datasets ?? {})) if (rows.columns) spec.datasets[name] = unpacked(rows);
    spec.width = "container";
    spec.autosize = { type: "fit-x", contains: "padding" };
    const live = document.createElement("div");
    live.className = "live";
    box.append(live);
    const labels = spec.layer.some((layer) => layer.encoding.y?.type === "nominal") ? 170 : 60;
    config.legend.columns = Math.max(1, Math.floor((box.clientWidth - labels) / 125));
    vegaEmbed(live, spec, { mode: "vega-lite", renderer: "svg", actions: false, config: structuredClone(config), tooltip }).then(
      () => box.classList.add("ready"),
      (error) => {
        live.remove();
        console.error(error);
      },
    );
  }
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
})();
