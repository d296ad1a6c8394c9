"use strict";
// The roofline: dots under ceilings on logarithmic axes. Data: archsim.data.roofline (app/pictures/roofline/page.h).

(() => {
  const roofline = archsim.data.roofline;
  if (!roofline) return;
  const { si, safe } = archsim;
  const dots = roofline.runs.flatMap((run, index) => run.dots.map((dot) => ({ ...dot, run: run.title, index })));
  const longest = Math.max(...dots.map((dot) => dot.time_s), 1e-30);
  const finite = dots.filter((dot) => dot.intensity !== undefined);
  const ridges = roofline.runs.flatMap((run) => run.ridges);
  const xs = finite.map((dot) => dot.intensity).concat(ridges.map((ridge) => ridge.intensity));
  const tops = roofline.runs.flatMap((run) => run.flats.map((flat) => flat.per_s));
  const ys = dots.map((dot) => dot.rate).concat(tops);
  const decade = (value, up) => 10 ** (up ? Math.ceil(Math.log10(value) + 0.15) : Math.floor(Math.log10(value) - 0.05));
  const low = { x: decade(Math.min(...xs, 1), false), y: decade(Math.min(...ys), false) };
  const high = { x: decade(Math.max(...xs, 1), true), y: decade(Math.max(...ys), true) };
  const onChip = high.x * 4;
  const hasOnChip = finite.length < dots.length;
  const edge = hasOnChip ? high.x * 10 : high.x;

  const groupOf = (dot) => roofline.color_by === "bound" ? dot.bound : roofline.color_by === "stage" ? dot.stage : dot.run;
  const colourOf = (dot) => {
    if (roofline.color_by === "bound") return roofline.bound_colors[dot.bound] || "#8c8c8c";
    const index = roofline.color_by === "stage" ? roofline.stages.indexOf(dot.stage) : dot.index;
    return roofline.series_colors[index % roofline.series_colors.length];
  };

  const words = (dot) => {
    const unit = dot.vector ? "elements" : "MAC";
    const lines = [
      "<b>" + safe(dot.name) + "</b>", safe(dot.run) + ", " + safe(dot.stage), safe(dot.operands),
      si(dot.time_s, "s") + " in " + dot.instances + (dot.instances === 1 ? " instance" : " instances"),
      si(dot.work, unit) + ", " + (dot.bytes ? si(dot.bytes, "B") + " of DRAM" : "no DRAM bytes"),
      si(dot.rate, unit + "/s") + (dot.intensity === undefined ? "" : ", " + si(dot.intensity) + unit + "/B"),
      "bound by <b>" + safe(dot.bound) + "</b>" + (dot.dtype && !dot.vector ? ", " + safe(dot.dtype) : ""),
    ];
    return lines.filter((line) => line).join("<br>");
  };

  // A ceiling from one point to another, with its label along it.
  const line = (from, to, style, colour, label, width, dashed, position) => ({
    type: "line", name: label, data: [], z: 1,
    markLine: {
      symbol: "none", animation: false, lineStyle: { color: colour, width, type: dashed ? [6, 4] : "solid" }, emphasis: { disabled: true },
      label: { show: position !== "none", position: position === "none" ? "end" : position, formatter: label, color: style.ink, fontSize: 11 },
      data: [[{ coord: from, name: label }, { coord: to }]],
    },
  });

  const option = (style, isNarrow) => {
    const series = [];
    const drawn = new Set();
    const several = new Set(roofline.runs.map((run) => JSON.stringify([run.flats, run.slopes]))).size > 1;
    roofline.runs.forEach((run, index) => {
      const key = JSON.stringify([run.flats, run.slopes]);
      if (drawn.has(key)) return;
      drawn.add(key);
      const colour = several ? archsim.shown(roofline.series_colors[index % roofline.series_colors.length]) : style.ceiling;
      const top = Math.max(...run.flats.map((flat) => flat.per_s));
      let above = Infinity;  // the last line whose label stands at its start
      run.slopes.forEach((slope) => {
        const from = Math.max(low.x, low.y / slope.bytes_per_s);
        if (from * slope.bytes_per_s >= top) return;
        const position = isNarrow || (several && slope.achievable) ? "none" : slope.achievable || above / slope.bytes_per_s < 1.7 ? "insideMiddleBottom" : "insideStartTop";
        if (position === "insideStartTop") above = slope.bytes_per_s;
        series.push(line([from, from * slope.bytes_per_s], [top / slope.bytes_per_s, top], style, colour, slope.label, slope.achievable ? 1.2 : 1.8, slope.achievable, position));
      });
      const steepest = run.slopes.length ? run.slopes[0].bytes_per_s : 0;
      run.flats.forEach((flat) => {
        const from = steepest ? Math.max(low.x, flat.per_s / steepest) : low.x;
        series.push(line([from, flat.per_s], [edge, flat.per_s], style, colour, flat.label, flat.vector ? 1.4 : 2.2, flat.vector, isNarrow ? "none" : "insideEndTop"));
      });
      series.push({ type: "scatter", name: "ridge points", symbolSize: 8, z: 2, itemStyle: { color: style.ground, borderColor: colour, borderWidth: 1.5 }, data: run.ridges.map((ridge) => ({ value: [ridge.intensity, ridge.per_s], ridge, label: { show: !isNarrow && ridge.label.startsWith("DRAM ") && !ridge.label.includes("achievable"), formatter: ridge.label, position: "top", color: style.ink, fontSize: 11 } })) });
    });
    const groups = [...new Set(dots.map(groupOf))];
    groups.forEach((group) => {
      const members = dots.filter((dot) => groupOf(dot) === group);
      series.push({
        type: "scatter", name: group, z: 3, itemStyle: { color: archsim.shown(colourOf(members[0])), opacity: 0.88, borderColor: style.ground, borderWidth: 0.6 },
        data: members.map((dot) => ({ value: [dot.intensity === undefined ? onChip : dot.intensity, dot.rate], dot, symbol: dot.vector ? "triangle" : "circle", symbolSize: Math.max(7, 46 * Math.sqrt(dot.time_s / longest)) })),
        emphasis: { scale: 1.15 },
      });
    });
    const axis = (name) => ({ type: "log", name, nameLocation: "middle", nameTextStyle: { color: style.soft }, axisLine: { show: true, lineStyle: { color: style.soft } }, axisLabel: { color: style.soft, formatter: (value) => (name.startsWith("MAC") ? si(value, "", 3) : String(Number(value.toPrecision(3)))) }, splitLine: { lineStyle: { color: style.line } } });
    return {
      legend: { data: groups, top: 0, type: "scroll", textStyle: { color: style.ink } },
      grid: { left: isNarrow ? 52 : 76, right: isNarrow ? 12 : 26, top: 36, bottom: 58 },
      tooltip: archsim.tooltip(style, (at) => at.data && at.data.dot ? words(at.data.dot) : at.data && at.data.ridge ? safe(at.data.ridge.label) : safe(at.seriesName)),
      dataZoom: [{ type: "inside", xAxisIndex: 0, filterMode: "none" }, { type: "inside", yAxisIndex: 0, filterMode: "none" }],
      xAxis: { ...axis("useful MACs (or vector elements) a DRAM byte" + (hasOnChip ? "; at the right edge: none" : "")), min: low.x, max: edge, nameGap: 30 },
      yAxis: { ...axis("MAC/s (or vector elements/s)"), min: low.y, max: high.y, nameGap: isNarrow ? 40 : 58 },
      series,
    };
  };

  archsim.chart("roofline", option);
  const place = document.getElementById("roofline-table");
  if (!place) return;
  const columns = [
    { title: "operator", text: true, of: (dot) => dot.name, by: (dot) => dot.name },
    ...(roofline.runs.length > 1 ? [{ title: "run", text: true, of: (dot) => dot.run, by: (dot) => dot.run }] : []),
    { title: "time", of: (dot) => si(dot.time_s, "s"), by: (dot) => dot.time_s },
    { title: "times", of: (dot) => dot.instances, by: (dot) => dot.instances },
    { title: "work", of: (dot) => si(dot.work, dot.vector ? "el" : "MAC"), by: (dot) => dot.work },
    { title: "DRAM", of: (dot) => si(dot.bytes, "B"), by: (dot) => dot.bytes },
    { title: "rate", of: (dot) => si(dot.rate, dot.vector ? "el/s" : "MAC/s"), by: (dot) => dot.rate },
    { title: "a DRAM byte", of: (dot) => (dot.intensity === undefined ? "" : si(dot.intensity)), by: (dot) => dot.intensity || Infinity },
    { title: "bound", text: true, of: (dot) => dot.bound, by: (dot) => dot.bound },
    { title: "operands", text: true, of: (dot) => dot.operands },
  ];
  place.append(archsim.table(columns, dots, "All dots, longest first"));
})();
