"use strict";
// The report of a run. Data: archsim.data (app/pictures/report/report.cpp).

(() => {
  const { data, si, percent, element, table, swatch, chart, shown, tooltip, safe } = archsim;
  const run = data.run;
  const place = (id) => document.getElementById(id);
  const boundColour = (bound) => data.colors.bound[bound] || "#8c8c8c";
  const seriesColour = (index) => data.colors.series[index % data.colors.series.length];
  const nominal = (value) => (value !== null && typeof value === "object" ? value.nominal : value);
  const banded = (value, unit) => value !== null && typeof value === "object" ? "between " + si(value.low, unit) + " and " + si(value.high, unit) : "";
  const bound = (label) => element("span", { style: "white-space:nowrap" }, swatch(boundColour(label)), label);
  const time = run.time_s;
  const bytes = run.dram_read_bytes + run.dram_write_bytes;

  // ---- headline
  place("headline").textContent = si(time, "s", 6) + (run.bound ? ", bound by " + run.bound : "") + "; no mapping is faster than " + si(run.lower_bound_s, "s", 6) + ".";
  const cards = [
    { id: "time", name: "latency", value: si(time, "s", 6), more: time > 0 ? si(1 / time, "Hz") : "", number: time },
    { id: "bound", name: "bound by", value: run.bound || "", more: "doubling it saves most" },
    { id: "efficiency", name: "efficiency", value: percent(time > 0 ? run.lower_bound_s / time : 0), more: "lower bound " + si(run.lower_bound_s, "s"), number: run.lower_bound_s },
    { id: "macs", name: "work", value: si(run.macs, "MAC"), more: time > 0 ? si(run.macs / time, "MAC/s") : "", number: run.macs },
    { id: "dram", name: "DRAM", value: si(bytes, "B"), more: time > 0 ? si(bytes / time, "B/s") : "", number: bytes },
  ];
  const ppa = run.ppa;
  if (ppa) {
    if (ppa.energy_j !== undefined) cards.push({ id: "energy", name: "energy", value: si(nominal(ppa.energy_j), "J"), more: banded(ppa.energy_j, "J"), number: nominal(ppa.energy_j) });
    if (ppa.average_power_w !== undefined) cards.push({ id: "power", name: "average power", value: si(nominal(ppa.average_power_w), "W"), more: ppa.peak_power_w !== undefined ? "peak " + si(nominal(ppa.peak_power_w), "W") : "", number: nominal(ppa.average_power_w) });
    if (ppa.area_mm2 !== undefined) cards.push({ id: "area", name: "area", value: Number(nominal(ppa.area_mm2).toPrecision(4)) + " mm²", more: "", number: nominal(ppa.area_mm2) });
  }
  for (const card of cards) {
    place("cards").append(element("div", { class: "card", id: "card-" + card.id, ...(card.number === undefined ? {} : { "data-value": card.number }) },
      element("div", { class: "name" }, card.name), element("div", { class: "value" }, card.value), element("div", { class: "more" }, card.more || "")));
  }

  // ---- stages
  chart("stage-bar", (style, narrow) => ({
    tooltip: tooltip(style, (at) => "<b>" + safe(at.seriesName) + "</b><br>" + si(at.value, "s") + ", " + percent(time > 0 ? at.value / time : 0) + "<br>bound by " + safe(run.stages[at.seriesIndex].bound)),
    legend: { top: 0, type: "scroll", textStyle: { color: style.ink } },
    grid: { left: 12, right: 18, top: 44, bottom: 34 },
    xAxis: { type: "value", max: time || 1, axisLabel: { color: style.soft, formatter: (value) => si(value, "s", 3), hideOverlap: true }, splitLine: { lineStyle: { color: style.line } } },
    yAxis: { type: "category", data: [""], axisLine: { show: false }, axisTick: { show: false } },
    series: run.stages.map((stage, index) => ({
      name: stage.name, type: "bar", stack: "time", barWidth: 46, data: [stage.time_s],
      itemStyle: { color: shown(seriesColour(index)), borderColor: style.ground, borderWidth: 1 },
      label: { show: time > 0 && stage.time_s / time > (narrow ? 0.2 : 0.09), formatter: percent(time > 0 ? stage.time_s / time : 0), color: "#ffffff" },
    })),
  }));
  place("stage-table").append(table([
    { title: "stage", text: true, of: (row) => element("span", {}, swatch(seriesColour(run.stages.indexOf(row))), row.name) },
    { title: "repeat", of: (row) => row.repeat },
    { title: "time", of: (row) => si(row.time_s, "s"), by: (row) => row.time_s },
    { title: "share", of: (row) => percent(time > 0 ? row.time_s / time : 0) },
    { title: "bound", text: true, of: (row) => bound(row.bound) },
    { title: "lower bound", of: (row) => si(row.bound_s, "s") },
    { title: "MACs", of: (row) => si(row.macs, ""), by: (row) => row.macs },
    { title: "DRAM", of: (row) => si(row.dram_bytes, "B"), by: (row) => row.dram_bytes },
    { title: "array use", of: (row) => (row.utilization === undefined ? "" : percent(row.utilization)) },
    ...(run.stages.some((row) => row.energy_j !== undefined) ? [{ title: "energy", of: (row) => si(nominal(row.energy_j) || 0, "J"), by: (row) => nominal(row.energy_j) || 0 }] : []),
  ], run.stages, "Stages add up to the latency"));

  // ---- timeline
  const lanes = [{ name: "stages", parts: data.overview.stages.map((stage) => ({ ...stage, share: 1, stage: true })) }]
    .concat(data.overview.engines.map((engine) => ({ name: engine.engine, parts: engine.parts })));
  chart("overview", (style) => ({
    tooltip: tooltip(style, (at) => {
      const part = at.data.part;
      return "<b>" + safe(part.stage ? part.name : at.data.lane) + "</b><br>" + si(part.from_s, "s") + " to " + si(part.to_s, "s") + (part.stage ? "" : "<br>under way " + percent(part.share)) + "<br>bound by " + safe(part.bound);
    }),
    grid: { left: 62, right: 18, top: 12, bottom: 34 },
    dataZoom: [{ type: "inside", xAxisIndex: 0, filterMode: "none", zoomOnMouseWheel: "ctrl" }],
    xAxis: { type: "value", min: 0, max: time || 1, axisLabel: { color: style.soft, formatter: (value) => si(value, "s", 3), hideOverlap: true }, splitLine: { lineStyle: { color: style.line } } },
    yAxis: { type: "category", inverse: true, data: lanes.map((lane) => lane.name), axisLabel: { color: style.soft }, axisTick: { show: false } },
    series: [{
      type: "custom", clip: true,
      data: lanes.flatMap((lane, row) => lane.parts.map((part, index) => ({ value: [part.from_s, part.to_s, row], part, lane: lane.name, itemStyle: { color: shown(part.stage ? seriesColour(index) : boundColour(part.bound)) } }))),
      encode: { x: [0, 1], y: 2 },
      renderItem: (params, api) => {
        const from = api.coord([api.value(0), api.value(2)]), to = api.coord([api.value(1), api.value(2)]);
        const part = lanes[api.value(2)].parts.find((each) => each.from_s === api.value(0)) || { share: 1 };
        const full = api.size([0, 1])[1] * 0.76, height = Math.max(1.5, full * part.share);
        const box = echarts.graphic.clipRectByRect({ x: from[0], y: from[1] + full / 2 - height, width: Math.max(0.6, to[0] - from[0]), height }, params.coordSys);
        return box && { type: "rect", shape: box, style: { fill: api.visual("color") } };
      },
    }],
  }));

  // ---- operators
  place("operator-table").append(table([
    { title: "operator", text: true, of: (row) => row.name, by: (row) => row.name },
    { title: "on", text: true, of: (row) => row.engine },
    { title: "times", of: (row) => row.instances, by: (row) => row.instances },
    { title: "time", of: (row) => si(row.time_s, "s"), by: (row) => row.time_s },
    { title: "share", of: (row) => percent(time > 0 ? row.time_s / time : 0) },
    { title: "MACs", of: (row) => si(row.macs, ""), by: (row) => row.macs },
    { title: "DRAM", of: (row) => si(row.dram_bytes, "B"), by: (row) => row.dram_bytes },
    ...(data.longest.some((row) => row.energy_j !== undefined) ? [{ title: "energy", of: (row) => si(row.energy_j || 0, "J"), by: (row) => row.energy_j || 0 }] : []),
    { title: "bound", text: true, of: (row) => bound(row.bound) },
    { title: "why", text: true, of: (row) => row.why },
  ], data.longest, "The " + data.longest.length + " longest of all operators; their times overlap"));

  // ---- bars from a list of {name, value}
  const bars = (id, rows, style, narrow, unit, colour) => ({
    tooltip: tooltip(style, (at) => "<b>" + safe(at.name) + "</b><br>" + si(at.value, unit)),
    grid: { left: narrow ? 128 : 200, right: 64, top: 8, bottom: 30 },
    xAxis: { type: "value", axisLabel: { color: style.soft, formatter: (value) => si(value, unit, 3), hideOverlap: true }, splitLine: { lineStyle: { color: style.line } } },
    yAxis: { type: "category", inverse: true, data: rows.map((row) => row.name), axisLabel: { color: style.soft, width: narrow ? 118 : 190, overflow: "truncate" }, axisTick: { show: false } },
    series: [{ type: "bar", barMaxWidth: 22, data: rows.map((row, index) => ({ value: row.value, itemStyle: { color: shown(colour(row, index)) } })), label: { show: true, position: "right", color: style.ink, formatter: (at) => si(at.value, unit, 3) } }],
  });
  const doubled = data.what_if.rows.map((row) => ({ name: row.resource, value: row.saves_s })).sort((a, b) => b.value - a.value);
  place("what-if-kind").textContent = "Saved of the latency; " + data.what_if.kind + ".";
  chart("tornado", (style, narrow) => bars("tornado", doubled, style, narrow, "s", (row) => boundColour(row.name)));
  const gap = Object.entries(run.gap).map(([name, value]) => ({ name, value })).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 10);
  chart("gap", (style, narrow) => bars("gap", gap, style, narrow, "s", () => "#0072b2"));

  // ---- engines and memories
  const groups = new Map();
  for (const engine of run.engines) {
    const stem = engine.block.replace(/\d+$/, "");
    const isOfGroup = run.engines.some((other) => other.block !== engine.block && other.block.replace(/\d+$/, "") === stem);
    const name = (isOfGroup ? stem : engine.block) + "." + engine.engine.replace(/\d+/g, "");
    const sums = groups.get(name) || { number: 0, shares: {} };
    sums.number += 1;
    for (const [share, value] of Object.entries(engine.shares)) sums.shares[share] = (sums.shares[share] || 0) + value;
    groups.set(name, sums);
  }
  const names = [...groups.keys()];
  const kinds = [["busy", "#0072b2", (share) => share === "busy_s"], ["waiting", "#e69f00", (share) => share.startsWith("wait_")], ["idle", "#9a9a9a", (share) => share === "idle_s"]];
  const sharesOf = (name) => groups.get(name).shares;
  chart("engines", (style, narrow) => ({
    tooltip: tooltip(style, (at) => {
      const shares = sharesOf(at.name);
      const all = Object.values(shares).reduce((sum, value) => sum + value, 0) || 1;
      return "<b>" + safe(at.name) + "</b>, " + groups.get(at.name).number + "<br>" + Object.entries(shares).sort((a, b) => b[1] - a[1]).slice(0, 8).map(([share, value]) => safe(share.replace(/_s$/, "").replace(/^wait_/, "waits for ")) + " " + percent(value / all)).join("<br>");
    }),
    legend: { top: 0, textStyle: { color: style.ink } },
    grid: { left: narrow ? 98 : 122, right: 22, top: 32, bottom: 28 },
    xAxis: { type: "value", max: 100, axisLabel: { color: style.soft, formatter: "{value} %" }, splitLine: { lineStyle: { color: style.line } } },
    yAxis: { type: "category", inverse: true, data: names, axisLabel: { color: style.soft }, axisTick: { show: false } },
    series: kinds.map(([kind, colour, belongs]) => ({
      name: kind, type: "bar", stack: "share", barMaxWidth: 18, itemStyle: { color: shown(colour) },
      data: names.map((name) => {
        const shares = sharesOf(name);
        const all = Object.values(shares).reduce((sum, value) => sum + value, 0) || 1;
        return 100 * Object.entries(shares).filter(([share]) => belongs(share)).reduce((sum, [, value]) => sum + value, 0) / all;
      }),
    })),
  }));
  const memory = run.memory || [];
  chart("memory", (style, narrow) => ({
    tooltip: tooltip(style, (at) => "<b>" + safe(at.name) + "</b><br>" + si(memory[at.dataIndex].used_bytes, "B") + " of " + si(memory[at.dataIndex].capacity_bytes, "B")),
    grid: { left: narrow ? 58 : 80, right: 60, top: 8, bottom: 28 },
    xAxis: { type: "value", max: 100, axisLabel: { color: style.soft, formatter: "{value} %" }, splitLine: { lineStyle: { color: style.line } } },
    yAxis: { type: "category", inverse: true, data: memory.map((row) => row.memory), axisLabel: { color: style.soft }, axisTick: { show: false } },
    series: [{ type: "bar", barMaxWidth: 22, itemStyle: { color: shown("#009e73") }, data: memory.map((row) => (row.capacity_bytes ? 100 * row.used_bytes / row.capacity_bytes : 0)), label: { show: true, position: "right", color: style.ink, formatter: (at) => si(memory[at.dataIndex].used_bytes, "B", 3) } }],
  }));
  if (run.memory_over_time) {
    place("memory-time-place").append(element("h3", {}, "memory over time"), element("div", { id: "memory-time", class: "chart", role: "img", "aria-label": "Bytes in each memory over time" }));
    chart("memory-time", (style, narrow) => ({
      tooltip: { ...tooltip(style), trigger: "axis", formatter: (at) => si(at[0].value[0], "s") + at.map((each) => "<br>" + safe(each.seriesName) + " " + si(each.value[1], "B")).join("") },
      legend: { top: 0, textStyle: { color: style.ink } },
      grid: { left: narrow ? 62 : 76, right: 18, top: 32, bottom: 30 },
      xAxis: { type: "value", min: 0, max: time || 1, axisLabel: { color: style.soft, formatter: (value) => si(value, "s", 3), hideOverlap: true }, splitLine: { show: false } },
      yAxis: { type: "value", axisLabel: { color: style.soft, formatter: (value) => si(value, "B", 3) }, splitLine: { lineStyle: { color: style.line } } },
      series: run.memory_over_time.map((each, index) => ({ name: each.memory, type: "line", step: "end", symbol: "none", areaStyle: { opacity: 0.2 }, itemStyle: { color: shown(seriesColour(index)) }, data: each.points.map((point) => [point.time_s, point.used_bytes]) })),
    }));
  }

  // ---- energy and area
  const price = place("price-place");
  const breakdown = (id, title, values, unit) => {
    const rows = Object.entries(values).map(([name, value]) => ({ name, value: nominal(value) })).filter((row) => row.value > 0).sort((a, b) => b.value - a.value).slice(0, 14);
    const column = element("div", {}, element("h3", {}, title), element("div", { id, class: "chart", role: "img", "aria-label": title }));
    return { column, draw: () => chart(id, (style, narrow) => ({ ...bars(id, rows, style, narrow, unit, (row, index) => seriesColour(index)), ...(unit === "mm²" ? {} : {}) })) };
  };
  if (ppa && (ppa.energy_by_block_j || ppa.area_by_block_mm2)) {
    const columns = element("div", { class: "columns" });
    price.append(columns);
    for (const [id, title, values, unit] of [["energy-blocks", "energy by block", ppa.energy_by_block_j, "J"], ["area-blocks", "area by block, mm²", ppa.area_by_block_mm2, ""]]) {
      if (!values) continue;
      const made = breakdown(id, title, values, unit);
      columns.append(made.column);
      made.draw();
    }
  } else {
    price.append(element("p", { class: "note" }, "This run is not priced: its SoC file names no technology with costs (`tech:`)."));
  }

  // ---- mapping, sources, configuration
  if (run.host_operators && run.host_operators.length) {
    place("host-table").append(table([
      { title: "operator", text: true, of: (row) => row.name }, { title: "times", of: (row) => row.instances },
      { title: "busy", of: (row) => si(row.busy_s, "s") }, { title: "why not on an accelerator", text: true, of: (row) => row.why },
    ], run.host_operators, "Operators on the CPU"));
  }
  place("mapping-table").append(table([
    { title: "operator", text: true, of: (row) => row.name, by: (row) => row.name }, { title: "does", text: true, of: (row) => row.op, by: (row) => row.op },
    { title: "on", text: true, of: (row) => row.engine, by: (row) => row.engine }, { title: "times", of: (row) => row.instances, by: (row) => row.instances },
    { title: "at once", of: (row) => row.at_once, by: (row) => row.at_once },
    { title: "fused into", text: true, of: (row) => row.fused_into + (row.fused_into && row.why ? " (" + row.why + ")" : "") },
    { title: "operands", text: true, of: (row) => row.operands },
  ], data.work, "Where each operator of the trace was put"));
  place("source-table").append(table([{ title: "what", text: true, of: (row) => row.what }, { title: "rests on", text: true, of: (row) => row.text }], data.sources));
  for (const block of data.configuration) {
    const inner = table([
      { title: "param", text: true, of: (row) => row.name }, { title: "value", text: true, of: (row) => row.value },
      { title: "default", text: true, of: (row) => row.default || "" }, { title: "meaning", text: true, of: (row) => row.meaning },
    ], block.params);
    place("configuration-table").append(block.params.length > 1 ? element("details", {}, element("summary", {}, block.block + ", " + block.params.length + " params"), inner)
      : element("p", {}, block.block + " " + block.params.map((row) => row.name + ": " + row.value).join(", ")));
  }
  document.body.dataset.ready = "true";
})();
