"use strict";
(() => {
  const known = window.surefoot;
  const json = (id) => {
    const held = document.getElementById(id);
    return held && JSON.parse(held.textContent);
  };
  const make = (name, properties, ...inside) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties ?? {}))
      if (value !== null && value !== undefined) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  };
  const number = (value, digits = 4) => {
    if (value === null || value === undefined) return "–";
    const written = Math.abs(value) < 1000 ? value.toFixed(digits) : value.toPrecision(4);
    return written.replace("-", "−");
  };

  const table = (id, caption, header, groups, inWords = [0]) => {
    const look = (i) => (inWords.includes(i) ? "word" : null);
    const row = (cells) =>
      make("tr", {}, ...cells.map((cell, i) => make(i ? "td" : "th", { scope: i ? null : "row", class: look(i) }, ...[cell].flat())));
    const bodies = groups.map(([name, rows]) => {
      const over = make("th", { scope: "rowgroup", colspan: header.length, class: "word" }, name);
      return make("tbody", {}, ...(name ? [make("tr", { class: "group" }, over)] : []), ...rows.map(row));
    });
    const heads = header.map((cell, i) => make("th", { scope: "col", class: look(i) }, ...[cell].flat()));
    const drawn = make("table", {}, make("caption", { id: `${id}-caption` }, caption), make("thead", {}, make("tr", {}, ...heads)), ...bodies);
    return make("div", { class: "scroll", role: "region", tabindex: 0, "aria-labelledby": `${id}-caption`, id }, drawn);
  };
  const metricCell = ([, name, direction, why], measure) => {
    const cell = [name + (measure ? ` of ${measure}` : "")];
    if (direction) cell.push("\u00a0", make("span", { role: "img", "aria-label": direction === "↑" ? "higher is better" : "lower is better" }, direction));
    if (why) cell.push(" ", make("span", { title: why, class: "raw", role: "img", "aria-label": `no ranking: ${why}` }, "*"));
    return cell;
  };

  const pairs = (list) => make("dl", { class: "about" }, ...list.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  const shownTrial = (trial) => {
    document.getElementById("told").append(make("div", { class: "card" }, pairs(trial.told)));
    document.getElementById("spec").append(make("pre", { tabindex: 0 }, trial.specification));
    document.getElementById("where").append(pairs(trial.environment));
    const place = document.getElementById("scores-of-trial");
    if (trial.log) place.append(make("p", {}, "Its log ends:"), make("pre", { tabindex: 0 }, trial.log));
    if (!trial.scores) {
      document.getElementById("charts").closest("section").remove();
      document.querySelector("nav a[href='#curves']").parentElement.remove();
      if (!trial.log) place.append(make("p", {}, "This trial has no scorecard."));
      return;
    }
    const shown = trial.scores.filter(([name]) => known.metrics[name]);
    const digits = (score) => (score.length < 3 ? 4 : Math.min(4, Math.max(2, 1 - Math.floor(Math.log10((score[2] - score[1]) / 2 || 1e-4)))));
    const cell = (score) =>
      score ? [number(score[0], digits(score)), ...(score.length > 2 ? [make("small", {}, `${number(score[1], digits(score))}\u00a0to ${number(score[2], digits(score))}`)] : [])] : "";
    const rows = known.questions.map((question, i) => [
      question,
      shown.filter(([name]) => known.metrics[name][0] === i).map(([name, measure, ...sides]) => [metricCell(known.metrics[name], measure), ...sides.map(cell)]),
    ]);
    place.append(table("scores-table", `Scores of the set ${trial.set}, with 95 % intervals over inputs`, ["metric", ...known.sides], rows.filter(([, some]) => some.length)));
    if (shown.some(([name]) => known.metrics[name][3])) place.append(make("p", { class: "footnote" }, "* Not to be compared across models."));
    for (const note of trial.notes) place.append(make("p", { class: "footnote" }, note));
    trial.charts.forEach((chart, i) => {
      const id = `figure-${i}`;
      const spec = structuredClone(known.charts[chart.spec]);
      spec.datasets.rows = chart.rows;
      if (chart.domain) for (const layer of spec.layer) layer.encoding.x.scale = { ...layer.encoding.x.scale, domain: chart.domain };
      const held = make("script", { type: "application/json" });
      held.textContent = JSON.stringify(spec);
      document.getElementById("charts").append(
        make(
          "figure",
          { class: "card", id },
          make("h3", { id: `${id}-title` }, chart.title),
          make("div", { class: "chart", role: "img", "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-words` }),
          held,
          make("figcaption", {}, make("p", { id: `${id}-words` }, chart.words)),
        ),
      );
    });
  };

  const said = { best: "✓", first: "first", near: "≈", behind: "" };
  const meaning = { best: "clearly better than every other method", first: "best mean, not clearly", near: "within noise of the first", behind: "clearly worse than the first" };
  const filters = (board) => {
    const form = document.getElementById("filters");
    const place = document.getElementById("filtered");
    const asked = Object.fromEntries([...form.querySelectorAll("select")].map((select) => [select.name, select]));
    const names = ["task", "method", "side", "metric"];
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const name of names) {
      const value = wanted.get(name);
      if (value !== null && [...asked[name].options].some((option) => option.value === value)) asked[name].value = value;
    }
    const show = () => {
      const chosen = Object.fromEntries(names.map((name) => [name, asked[name].value]));
      const fits = (row) => names.every((name, i) => chosen[name] === "" || board[name][row[i]] === chosen[name]);
      const further = ["side", "metric"].filter((name) => chosen[name] === "");
      const rows = board.rows.filter(fits);
      const grouped = new Map();
      for (const [task, method, side, metric, mean, std, count, standing] of rows) {
        const link = make("a", { href: board.pages[task] }, board.method[method]);
        const own = { side: known.sides[side], metric: metricCell(known.metrics[board.metric[metric]]) };
        const value = [number(mean), ...(std === null ? [] : [make("small", {}, `± ${number(std)}`)])];
        const mark = standing ? make("span", { title: meaning[standing], class: `standing ${standing}` }, said[standing], make("span", { class: "said" }, ` ${meaning[standing]}`)) : "";
        const cells = [link, ...further.map((name) => own[name]), value, mark, String(count)];
        if (!grouped.has(board.task[task])) grouped.set(board.task[task], []);
        grouped.get(board.task[task]).push(cells);
      }
      const metric = chosen.metric && known.metrics[chosen.metric];
      const caption = `${metric ? `${metric[1]} ${metric[2]}` : "every metric"}, ${chosen.side ? known.sides[board.side.indexOf(chosen.side)] : "every side"}: ${rows.length} ${rows.length === 1 ? "row" : "rows"}`;
      place.replaceChildren(table("filtered-table", caption, ["method", ...further, "mean ± σ", "against the first", "trials"], [...grouped], [...further.map((_, i) => i + 1), 0, further.length + 2]));
      const why = metric && metric[3];
      const note = document.getElementById("filter-note");
      note.textContent = why ? `Shown as papers print it, and no ranking: ${why}.` : "";
      const kept = new URLSearchParams(names.filter((name) => chosen[name]).map((name) => [name, chosen[name]]));
      if (touched) history.replaceState(null, "", `#${kept}`);
    };
    let touched = false;
    form.addEventListener("change", () => {
      touched = true;
      show();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("filter-reset").addEventListener("click", () => {
      touched = true;
      for (const name of names) asked[name].value = asked[name].dataset.usual;
      show();
    });
    show();
  };

  const trial = json("trial");
  if (trial) shownTrial(trial);
  const board = json("board");
  if (board) filters(board);
})();
