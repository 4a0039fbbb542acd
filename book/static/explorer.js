/*
 * Draws recorded tables: a dot for each fork, a bar for the mean and its 95% interval. The data of a table is a script,
 * because a page that was opened as a file may not read other files. Means, intervals and verdicts come with the data;
 * nothing is computed here.
 */
"use strict";

window.explorer = (() => {
  const EACH = "\u0000each"; // the value of a key's menu that draws a panel for each of its values
  const ROW = 26;
  const waiting = new Map();
  const tables = new Map();
  const SVG = "http://www.w3.org/2000/svg";

  /** Called by a table's script. */
  function take(table) {
    tables.set(table.name, table);
    (waiting.get(table.name) || []).forEach((tell) => tell(table));
    waiting.delete(table.name);
  }

  function load(name) {
    if (tables.has(name)) return Promise.resolve(tables.get(name));
    return new Promise((tell, fail) => {
      const others = waiting.get(name);
      waiting.set(name, [...(others || []), tell]);
      if (others) return;
      const script = document.createElement("script");
      script.src = new URL(`tables/${encodeURIComponent(name)}.js`, here).href;
      script.onerror = () => {
        waiting.delete(name);
        fail(new Error(`the data of ${name} is missing`));
      };
      document.head.append(script);
    });
  }

  const here = document.currentScript.src;

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  }

  const pen = document.createElement("canvas").getContext("2d");

  /** The pixels that a name at the left takes; its size is that of book.css. */
  function lengthOf(name) {
    pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText(name).width;
  }

  function mark(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /** The parts of a text in which code stands between backticks. */
  function words(said) {
    return said.split("`").map((part, place) => (place % 2 ? element("code", {}, part) : part));
  }

  function menu(name, label, options, chosen, title) {
    const select = element("select", { name });
    options.forEach(([value, text]) => {
      const option = element("option", { value }, text);
      option.selected = value === chosen;
      select.append(option);
    });
    const around = element("label", title ? { title } : {}, `${label} `, select);
    return [around, select];
  }

  /** A chart with its menus inside a place; `chosen` may have table, figure, each, where, log, and `tell` of its menus. */
  async function show(place, chosen) {
    let table;
    place.dataset.wanted = chosen.table;
    try {
      table = await load(chosen.table);
      if (place.dataset.wanted !== chosen.table) return; // another one was chosen meanwhile
    } catch (problem) {
      place.replaceChildren(element("p", { role: "alert" }, `${problem.message}. Build the book again.`));
      return;
    }
    const keys = table.keys.slice(0, -1);
    const form = element("form", { class: "filter" });
    form.addEventListener("submit", (event) => event.preventDefault());
    const figures = table.figures.map((figure) => [figure.name, figure.label]);
    const [figureLabel, figureMenu] = menu("figure", "figure", figures, chosen.figure);
    form.append(figureLabel);
    const each = chosen.each ?? "jdk";
    const start = startOf(table, table.figures.findIndex((one) => one.name === figureMenu.value));
    const menus = keys.map((key, place) => {
      const options = [...key.values.map((value) => [value, valueOf(key, value)]), [EACH, "a panel for each"]];
      const wanted = key.name === each ? EACH : (chosen.where || {})[key.name] || key.values[start.at[place]];
      const [label, select] = menu(key.name, key.label, options, wanted, key.about);
      form.append(label);
      return select;
    });
    const log = element("input", { type: "checkbox", name: "log" });
    log.checked = Boolean(chosen.log);
    form.append(element("label", {}, log, " log scale"));
    const chart = element("div", { class: "panels" });
    const below = element("div");
    const about = place.id === "explorer" ? [aboutOf(table)] : [];
    place.replaceChildren(...about, form, chart, below);

    function draw() {
      const figure = table.figures.findIndex((one) => one.name === figureMenu.value);
      const panels = panelsOf(table, menus.map((one) => one.value));
      chart.replaceChildren(...drawing(table, figure, panels, log.checked, chart.clientWidth || 640));
      const isOpen = below.querySelector("details")?.open;
      below.replaceChildren(figuresTable(table, figure, panels));
      below.firstChild.open = Boolean(isOpen);
    }
    function choose() {
      draw();
      const split = keys[menus.findIndex((one) => one.value === EACH)];
      const where = keys.map((key, place) => [key.name, menus[place].value]).filter(([, value]) => value !== EACH);
      const menusSay = { table: table.name, figure: figureMenu.value, each: split ? split.name : "", log: log.checked ? "1" : "" };
      chosen.tell?.({ ...menusSay, ...Object.fromEntries(where) });
    }
    let open = menus.find((one) => one.value === EACH);
    menus.forEach((one) =>
      one.addEventListener("change", () => {
        if (one.value === EACH) { // one key at a time
          if (open && open !== one) open.selectedIndex = 0;
          open = one;
        } else if (one === open) {
          open = undefined;
        }
        choose();
      }),
    );
    figureMenu.addEventListener("change", choose);
    log.addEventListener("change", choose);
    let width = 0;
    new ResizeObserver(() => {
      if (chart.clientWidth !== width) {
        width = chart.clientWidth;
        draw();
      }
    }).observe(chart);
    draw();
  }

  /** A group to begin with: one that has the figure, and in which as many keys as possible mean something. */
  function startOf(table, figure) {
    const gaps = (group) => group.at.filter((place, key) => table.keys[key].values[place] === "-").length;
    const usable = table.groups.filter((group) => group.figures[figure][0] !== null);
    return usable.reduce((best, one) => (gaps(one) < gaps(best) ? one : best), usable[0] || table.groups[0]);
  }

  /** What a table asks, and what it leaves out. */
  function aboutOf(table) {
    const leftOut = table.leftOut ? [" ", ...words(table.leftOut)] : [];
    return element("p", { class: "question" }, element("strong", {}, ...words(table.question)), ...leftOut);
  }

  /** A key's value with its unit; "-" where the key means nothing. */
  function valueOf(key, value) {
    if (value === "-") return "none";
    return key.unit ? `${value}${key.unit === "%" ? "" : " "}${key.unit}` : value;
  }

  /** The groups to draw: for each panel its title, and its groups in the order of the contenders. */
  function panelsOf(table, values) {
    const at = values.map((value, key) => (value === EACH ? -1 : table.keys[key].values.indexOf(value)));
    const split = at.indexOf(-1);
    // "-": the key means nothing for this contender, so no value of it leaves the contender out.
    const fits = (group, place, key) => place < 0 || group.at[key] === place || table.keys[key].values[group.at[key]] === "-";
    const found = table.groups.filter((group) => at.every((place, key) => fits(group, place, key)));
    const places = split < 0 ? [undefined] : table.keys[split].values.map((_, place) => place);
    const order = table.keys.length - 1;
    return places
      .map((place) => ({
        title: place === undefined ? "" : `${table.keys[split].label} ${valueOf(table.keys[split], table.keys[split].values[place])}`,
        groups: found
          .filter((group) => place === undefined || group.at[split] === place)
          .sort((one, other) => one.at[order] - other.at[order]),
      }))
      .filter((panel) => panel.groups.length > 0);
  }

  const contenderOf = (table) => table.keys[table.keys.length - 1];
  const valueIn = (table, group) => contenderOf(table).values[group.at[table.keys.length - 1]];
  const nameOf = (table, group) => valueOf(contenderOf(table), valueIn(table, group));

  function drawing(table, figure, panels, isLog, width) {
    const all = panels.flatMap((panel) => panel.groups.flatMap((group) => group.figures[figure]));
    const values = all.filter((value) => value !== null && (!isLog || value > 0));
    const about = table.figures[figure];
    if (values.length === 0) return [element("p", {}, "No figures here: choose other values.")];
    const longest = Math.max(...panels.flatMap((panel) => panel.groups.map((group) => lengthOf(nameOf(table, group)))));
    const label = Math.min(longest + 8, width * 0.5);
    const most = Math.max(...values);
    const least = isLog ? Math.min(...values) : Math.min(0, ...values);
    const span = (value) => (isLog ? Math.log(value) : value);
    const x = (value) => label + ((span(value) - span(least)) / (span(most) - span(least) || 1)) * (width - label - 30) + 8;
    return panels.map((panel) => {
      const height = ROW * panel.groups.length + 56;
      const said = panel.groups.map((group) => `${nameOf(table, group)} ${text(group.figures[figure][0])}`).join(", ");
      const svg = mark("svg", { width, height, role: "img", "aria-label": `${panel.title} ${about.label}: ${said}` });
      svg.append(mark("text", { x: 0, y: 14, class: "panel-title" }, panel.title));
      ticks(least, most, isLog, width).forEach((tick) => {
        svg.append(mark("line", { x1: x(tick), x2: x(tick), y1: 22, y2: height - 34, class: "grid" }));
        svg.append(mark("text", { x: x(tick), y: height - 20, class: "tick" }, text(tick)));
      });
      const unit = [about.unit || about.label, about.better].filter(Boolean).join(", ");
      svg.append(mark("text", { x: width - 4, y: height - 5, class: "unit" }, unit));
      panel.groups.forEach((group, row) => {
        const y = 22 + ROW * row + ROW / 2;
        const name = nameOf(table, group);
        const colour = table.colours[valueIn(table, group)];
        const [middle, low, high, ...forks] = group.figures[figure];
        const squeezed = lengthOf(name) > label ? { textLength: label, lengthAdjust: "spacingAndGlyphs" } : {};
        svg.append(mark("text", { x: label, y: y + 4, class: "name", ...squeezed }, name));
        forks.forEach((value) => {
          if (value === null || (isLog && value <= 0)) return;
          svg.append(mark("circle", { cx: x(value), cy: y, r: 3.5, fill: colour, "fill-opacity": 0.4 }));
        });
        if (low !== null && (!isLog || low > 0)) {
          svg.append(mark("line", { x1: x(low), x2: x(high), y1: y, y2: y, stroke: colour, "stroke-width": 3 }));
        }
        if (middle !== null && (!isLog || middle > 0)) {
          svg.append(mark("path", { d: `M${x(middle)} ${y - 6}l6 6l-6 6l-6 -6z`, fill: colour, class: "middle" }));
        }
      });
      return svg;
    });
  }

  function ticks(least, most, isLog, width) {
    const wanted = width < 500 ? 3 : 6;
    if (isLog) {
      const decades = [];
      for (let power = Math.ceil(Math.log10(least)); power <= Math.log10(most); power++) decades.push(10 ** power);
      if (decades.length < 2) return [least, most];
      return decades.filter((_, place) => place % Math.ceil(decades.length / wanted) === 0);
    }
    const rough = (most - least) / wanted || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
    const found = [];
    for (let tick = Math.ceil(least / step) * step; tick <= most; tick += step) found.push(tick);
    return found;
  }

  /** A number with three figures, or all of those before the point. */
  function text(value) {
    if (value === null) return "no figure";
    const digits = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
    return digits.toLocaleString("en", { maximumSignificantDigits: 21 });
  }

  function figuresTable(table, figure, panels) {
    const about = table.figures[figure];
    const hasPanels = panels.some((panel) => panel.title);
    const hasVerdicts = about.name === "ops_per_ms" && table.groups.some((group) => group.said);
    const row = (kind, attributes, cells) => {
      const shown = cells.filter((_, place) => (place > 0 || hasPanels) && (place < 5 || hasVerdicts));
      return element("tr", {}, ...shown.map((cell) => element(kind, attributes, String(cell))));
    };
    const body = element("tbody");
    panels.forEach((panel) =>
      panel.groups.forEach((group) => {
        const [middle, low, high, ...forks] = group.figures[figure];
        const span = low === null ? "" : `${text(low)} to ${text(high)}`;
        const count = forks.filter((one) => one !== null).length;
        body.append(row("td", {}, [panel.title, nameOf(table, group), text(middle), span, count, group.said || ""]));
      }),
    );
    const mean = about.unit ? `mean (${about.unit})` : "mean";
    const head = row("th", { scope: "col" }, ["panel", contenderOf(table).label, mean, "95% interval", "forks", "verdict"]);
    const wide = { class: "wide", role: "region", tabindex: "0", "aria-label": `figures of ${table.name}` };
    const whole = element("div", wide, element("table", {}, element("thead", {}, head), body));
    const notes = element("p", {}, ...words(about.about), ` ${table.caption}`);
    return element("details", {}, element("summary", {}, "The figures"), notes, whole);
  }

  /**
   * The explorer opens at the table and the choices that its address names, and says from which claim one comes. Its
   * address follows the menus, so that one can send what one sees.
   */
  function beginExplorer(place, choice) {
    const asked = new URLSearchParams(location.search);
    const claims = JSON.parse(document.getElementById("explorer-claims").textContent);
    const from = document.getElementById("explorer-from");
    const wrong = document.getElementById("explorer-wrong");
    const number = asked.get("claim");
    const open = (chosen) => {
      if (wrong) wrong.href = `${wrong.dataset.issue}${encodeURIComponent(`, table ${chosen.table}: `)}`;
      show(place, { ...chosen, tell: follow });
    };
    const follow = (said) => {
      const isAsked = !from.hidden && said.table === asked.get("table");
      const address = new URLSearchParams({ ...said, ...(isAsked ? { claim: number } : {}) });
      history.replaceState(null, "", `?${address}`);
    };
    if ([...choice.options].some((option) => option.value === asked.get("table"))) choice.value = asked.get("table");
    if (Object.hasOwn(claims, number)) {
      const back = element("a", { href: `ledger.html#claim-${number}` }, `claim ${number}`);
      from.append("You came from ", back, `: ${claims[number]}`);
      from.hidden = false;
    }
    choice.addEventListener("change", () => {
      from.hidden = true;
      follow({ table: choice.value });
      open({ table: choice.value });
    });
    choice.form.addEventListener("submit", (event) => event.preventDefault());
    const { figure, each, log, ...where } = Object.fromEntries(asked);
    open({ table: choice.value, figure, each, log, where });
  }

  function begin() {
    document.querySelectorAll(".live").forEach((place) => {
      const choice = document.querySelector("#explorer-table select");
      if (place.id === "explorer") beginExplorer(place, choice);
      else show(place, JSON.parse(place.dataset.chosen));
    });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
  return { take };
})();
