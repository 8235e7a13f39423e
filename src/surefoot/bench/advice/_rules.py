"""The findings of the papers, one rule each."""

from __future__ import annotations

from surefoot.bench.advice._rule import CLEAR, SLIGHT, STRONG, Rule
from surefoot.bench.advice._sources import pitfalls, shifts, text

_YES, _NO = ("yes",), ("no",)
_UNTUNED = ("none", "some")
_SHORT = ("one", "short")

RULES = (
    # The number of classes and of labels.
    Rule(
        "few classes",
        "for few classes and one label an input: solid in-domain, and robust enough",
        CLEAR,
        text(
            "section V",
            "we advise Deep Ensemble for solid in-domain performance and adequate distribution shift robustness",
        ),
        {"classes": ("few",), "labels": ("one",)},
        {"name": ("deep-ensemble",)},
    ),
    Rule(
        "many classes",
        "many classes: the heteroscedastic loss is worth its effort, and calibrates",
        CLEAR,
        text("section V", "it warrants the effort to implement the Heteroscedastic loss function"),
        {"classes": ("many",), "labels": ("one",)},
        {"head": ("heteroscedastic",)},
    ),
    Rule(
        "noise of labels",
        "one label of several: data uncertainty makes in-domain predictions a little better",
        SLIGHT,
        text(
            "section V",
            "the incorporation of data uncertainty incrementally improves multi-class text classification",
        ),
        {"labels": ("one",), "shift": ("none",)},
        {"head": ("heteroscedastic",)},
    ),
    Rule(
        "several labels",
        "several labels an input: any ensemble is better than none",
        CLEAR,
        text(
            "section V",
            "any form of ensembling is valuable in multi-label classification to boost performance",
        ),
        {"labels": ("several",)},
        {"ensemble": _YES},
    ),
    Rule(
        "high cardinality",
        "many labels an input: their combinations want reliable knowledge uncertainty, which ensembles have",
        CLEAR,
        text(
            "appendix B",
            "ensembling for more reliable epistemic uncertainty estimation",
        ),
        {"cardinality": ("high",)},
        {"ensemble": _YES},
    ),
    Rule(
        "low cardinality",
        "few labels an input: best on Reuters (1.24 labels)",
        CLEAR,
        text("section V", "results obtained on Reuters suggesting MC Concrete Dropout Ensemble"),
        {"cardinality": ("low",)},
        {"name": ("mc-concrete-dropout-ensemble",)},
    ),
    Rule(
        "two labels and more",
        "more labels an input: best on AAPD (2.41 labels)",
        CLEAR,
        text("section V", "on AAPD warranting Deep Ensemble"),
        {"cardinality": ("high",)},
        {"name": ("deep-ensemble",)},
    ),
    # Memory and compute.
    Rule(
        "short memory",
        "memory is short: one network with concrete dropout is calibrated in-domain and beyond",
        CLEAR,
        text(
            "section V",
            "using (MC) Concrete Dropout will provide calibration benefits both in and out-of-domain",
        ),
        {"memory": _SHORT},
        {"name": ("concrete-dropout", "mc-concrete-dropout")},
    ),
    Rule(
        "no regularisation",
        "a network without any regularisation, which may overfit",
        -SLIGHT,
        text("section III-A", "In practice, one would always apply some combination of regularization"),
        {"inputs": ("text", "images")},
        {"name": ("unregularized",)},
    ),
    Rule(
        "small plain ensemble",
        "with fewer than five members, ensembles of another kind do as well as a full one of this kind",
        -SLIGHT,
        text("section V", "attains higher performance with a lower number of models"),
        {},
        {"name": ("deep-ensemble",), "size": ("small",)},
    ),
    Rule(
        "one evaluation",
        "one evaluation a prediction is enough",
        SLIGHT,
        text(
            "appendix C",
            "a single forward pass suffices without MC sampling to estimate the predictive distribution",
        ),
        {"inference": ("one",)},
        {"name": ("sngp",)},
    ),
    # Tuning.
    Rule(
        "untuned dropout",
        "dropout at a fixed rate that nobody has tuned is unpredictable",
        -CLEAR,
        text(
            "section V",
            "We would advise against using MC Dropout if the dropout rate and weight regularization are not fine-tuned",
        ),
        {"tuning": _UNTUNED},
        {"noise": ("dropout",), "passes": ("many",), "head": ("likelihood",)},
    ),
    Rule(
        "learnt dropout",
        "learns its rate of dropout, which saves tuning",
        SLIGHT,
        text("appendix B", "it warrants the low effort of incorporating Concrete Dropout"),
        {"tuning": _UNTUNED},
        {"noise": ("concrete-dropout",)},
    ),
    Rule(
        "many settings",
        "many settings that depend on each other, and results that depend on them",
        -CLEAR,
        text("appendix C", "it is very tricky to finetune with many hyperparameters interplaying"),
        {"tuning": _UNTUNED},
        {"name": ("cyclical-sgld",)},
    ),
    Rule(
        "spectral norm",
        "its spectral norm has to be tuned for every dataset",
        -CLEAR,
        text("appendix C", "spectral norm multipliers are very dataset-dependent"),
        {"tuning": _UNTUNED},
        {"name": ("sngp",)},
    ),
    # The expected shift.
    Rule(
        "novel classes",
        "classes that were never seen: a strong gain over a plain ensemble, and with fewer members",
        CLEAR,
        text(
            "section V",
            "MC Concrete Dropout Ensemble, gives relatively strong benefits compared to a regular Deep Ensemble",
        ),
        {"shift": ("novel",)},
        {"name": ("mc-concrete-dropout-ensemble",)},
    ),
    Rule(
        "plain ensemble outside",
        "a plain ensemble is worse outside the domain it was trained in",
        -SLIGHT,
        text("section V", "perform worse outside the in-domain setting"),
        {"shift": ("novel",)},
        {"name": ("deep-ensemble",)},
    ),
    Rule(
        "dropout and novel classes",
        "finds novel classes worse than a network without any noise",
        -CLEAR,
        text("section V", "lower than the Unregularized point-estimate model"),
        {"shift": ("novel",)},
        {"name": ("mc-dropout",)},
    ),
    Rule(
        "detecting other domains",
        "inputs from another domain: ranks first at noticing them (though all are near chance)",
        SLIGHT,
        text(
            "section IV-B", "Concrete Dropout Ensemble and variations outrank other methods on OOD detection"
        ),
        {"shift": ("covariate",)},
        {"noise": ("concrete-dropout",), "ensemble": _YES},
    ),
    Rule(
        "accuracy in other domains",
        "inputs from another domain: more accurate there than more than half of the set-ups",
        SLIGHT,
        text("section IV-B", "Deep Ensemble significantly outperforming more than half"),
        {"shift": ("covariate",)},
        {"name": ("deep-ensemble",)},
    ),
    # The kind of uncertainty.
    Rule(
        "knowledge from members",
        "what members disagree on finds novel classes better than what one model says",
        SLIGHT,
        text(
            "section IV-C",
            "epistemic uncertainty derived from ensembles offers higher quality detection of novel class data",
        ),
        {"uncertainty": ("knowledge",)},
        {"ensemble": _YES},
    ),
    Rule(
        "no knowledge uncertainty",
        "has one sample, and so no model uncertainty",
        -STRONG,
        text(
            "section II-C",
            "Model uncertainty can be quantified with Monte Carlo integration or the aggregation of individual models",
        ),
        {"uncertainty": ("knowledge",)},
        {"knowledge": _NO},
    ),
    Rule(
        "own data uncertainty",
        "has an output for the noise in the data",
        CLEAR,
        text(
            "section II-C", "Changing to the heteroscedastic extensions allows to quantify data uncertainty"
        ),
        {"uncertainty": ("data",)},
        {"head": ("heteroscedastic",)},
    ),
    Rule(
        "no data uncertainty",
        "has one sample and no output for noise, so that all its uncertainty is one",
        -STRONG,
        text(
            "section II-C",
            "the entropy of the posterior predictive distribution provides a measure of the total uncertainty",
        ),
        {"uncertainty": ("data",)},
        {"data": _NO},
    ),
    # Kinds of inputs.
    Rule(
        "ranks low on text",
        "ranks low on text, whatever it does elsewhere",
        -SLIGHT,
        text("appendix C", "SNGP ranks quite low on the text classification tasks"),
        {"inputs": ("text",)},
        {"name": ("sngp",)},
    ),
    Rule(
        "not measured here",
        "was compared on images only",
        -SLIGHT,
        pitfalls("section 2", "We use standard benchmark problems of image classification"),
        {"inputs": ("text", "table")},
        {"name": ("snapshots", "cyclical-sgld")},
    ),
    Rule(
        "images: ensembles",
        "images: nothing beats independent networks at the same cost of a prediction",
        CLEAR,
        pitfalls("section 5", "Deep ensembles dominate other methods given a fixed test-time budget"),
        {"inputs": ("images",)},
        {"ensemble": _YES},
    ),
    Rule(
        "images: several modes",
        "images: visits several modes in one training, and comes close to independent networks",
        CLEAR,
        pitfalls("section 4.2", "SSE and cSGLD outperform all other techniques except deep ensembles"),
        {"inputs": ("images",)},
        {"name": ("snapshots", "cyclical-sgld")},
    ),
    Rule(
        "images: closer samples",
        "images: three samples a cycle are more alike than one",
        -SLIGHT,
        pitfalls("section 4.2", "In our experiments SSE typically outperforms cSGLD"),
        {"inputs": ("images",)},
        {"name": ("cyclical-sgld",)},
    ),
    Rule(
        "images: one mode",
        "images: what stays in one mode cannot keep up",
        -CLEAR,
        pitfalls("section 5", "Methods that are stuck in a single mode are unable to compete"),
        {"inputs": ("images",)},
        {"passes": ("many",), "ensemble": _NO},
    ),
    Rule(
        "tables: ensembles",
        "tables: ensembles are better than single models by every score, in-domain and shifted",
        CLEAR,
        shifts("section 3", "ensembles significantly outperform single models"),
        {"inputs": ("table",)},
        {"ensemble": _YES, "noise": ("none",)},
    ),
    Rule(
        "tables: dropout",
        "tables: passes with dropout gain less than independent networks (FT-Transformers)",
        -SLIGHT,
        shifts("table 10", "FT-Transformer, MCDP"),
        {"inputs": ("table",)},
        {"noise": ("dropout",), "passes": ("many",), "ensemble": _NO},
    ),
    Rule(
        "tables: noticing a shift",
        "tables: what boosted members disagree on notices a shift best",
        CLEAR,
        shifts("appendix C.5", "the best model for anomaly detection is a catboost ensemble"),
        {"inputs": ("table",), "shift": ("covariate", "novel")},
        {"name": ("deep-ensemble",)},
    ),
    Rule(
        "tables: virtual ensembles",
        "tables: has no results in these papers, which take independent members",
        -SLIGHT,
        shifts(
            "section 3",
            "an ensemble of ten models is trained on the training data with different random seeds",
        ),
        {"inputs": ("table",)},
        {"name": ("virtual-ensemble",)},
    ),
)
