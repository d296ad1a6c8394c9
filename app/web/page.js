"use strict";
// What all pages share: data, numbers in words, charts that follow size, colour scheme and print.

const archsim = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const narrow = () => window.innerWidth < 640;
  let printing = false;
  const charts = [];

  const theme = () => dark.matches && !printing
    ? { ink: "#ececec", soft: "#b0b0b0", line: "#3c4043", ground: "#16181a", raised: "#1f2225", ceiling: "#c8c8c8", lift: true }
    : { ink: "#1a1a1a", soft: "#5a5a5a", line: "#dcdcdc", ground: "#ffffff", raised: "#ffffff", ceiling: "#3c3c3c", lift: false };

  // Colours that are too dark for a dark ground are made lighter.
  const shown = (colour) => {
    if (!theme().lift) return colour;
    const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    const light = 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2];
    if (light > 110) return colour;
    const mix = (110 - light) / (255 - light);
    return "#" + parts.map((part) => Math.round(part + (255 - part) * mix).toString(16).padStart(2, "0")).join("");
  };

  const scales = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];
  // "16.4 T": four significant digits and an SI prefix.
  const si = (value, unit = "", digits = 4) => {
    if (value === 0) return "0 " + unit;
    const scale = scales.find(([size]) => Math.abs(value) >= size * 0.99995) || scales[scales.length - 1];
    return Number((value / scale[0]).toPrecision(digits)) + " " + scale[1] + unit;
  };
  const percent = (part) => (100 * part).toFixed(1) + " %";

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    for (const child of children) made.append(child);
    return made;
  };

  // columns: {title, text: left-aligned, of: row -> what is shown, by: row -> what it is sorted by}
  const table = (columns, rows, caption) => {
    const body = element("tbody");
    const fill = (order) => body.replaceChildren(...order.map((row) => element("tr", {}, ...columns.map((column) => {
      const shownValue = column.of(row);
      return element("td", column.text ? { class: "text" } : {}, shownValue instanceof Node ? shownValue : String(shownValue));
    }))));
    let sorted = -1, down = true;
    const head = element("tr", {}, ...columns.map((column, index) => {
      const cell = element("th", { scope: "col", ...(column.text ? { class: "text" } : {}) });
      if (!column.by) { cell.append(column.title); return cell; }
      const button = element("button", { type: "button", title: "sort by " + column.title }, column.title);
      button.addEventListener("click", () => {
        down = sorted === index ? !down : true;
        sorted = index;
        const order = rows.slice().sort((a, b) => (column.by(a) < column.by(b) ? -1 : 1) * (down ? -1 : 1));
        for (const other of head.children) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", down ? "descending" : "ascending");
        fill(order);
      });
      cell.append(button);
      return cell;
    }));
    fill(rows);
    const made = element("table", {}, ...(caption ? [element("caption", {}, caption)] : []), element("thead", {}, head), body);
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || "table" }, made);
  };

  const swatch = (colour) => element("span", { class: "swatch", style: "background:" + shown(colour) });

  // A chart in the element `id`, whose option is made anew whenever size class, colour scheme or medium change.
  const chart = (id, option) => {
    const place = document.getElementById(id);
    if (!place) return;
    const entry = { place, option, chart: echarts.init(place, null, { renderer: "svg" }) };
    charts.push(entry);
    entry.draw = () => entry.chart.setOption({ animation: false, textStyle: { fontFamily: "system-ui, 'DejaVu Sans', Arial, sans-serif", color: theme().ink }, ...entry.option(theme(), narrow()) }, true);
    entry.draw();
  };
  const redraw = () => { for (const entry of charts) { entry.chart.resize(); entry.draw(); } };
  window.addEventListener("resize", redraw);
  dark.addEventListener("change", redraw);
  window.addEventListener("beforeprint", () => { printing = true; for (const more of document.querySelectorAll("details")) more.open = true; redraw(); });
  window.addEventListener("afterprint", () => { printing = false; redraw(); });

  const tooltip = (style, formatter) => ({ trigger: "item", confine: true, backgroundColor: style.raised, borderColor: style.line, textStyle: { color: style.ink, fontSize: 13 }, extraCssText: "max-width:340px;white-space:normal;overflow-wrap:anywhere", formatter });
  const safe = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[c]));

  return { data, si, percent, element, table, swatch, chart, shown, tooltip, safe, theme };
})();
