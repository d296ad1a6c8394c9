"use strict";
// A sweep in parallel coordinates. Data: archsim.data.sweep (app/pictures/sweep/page.h).

(() => {
  const sweep = archsim.data.sweep;
  if (!sweep) return;
  const { si, table, chart, tooltip, safe } = archsim;
  const inWords = (value, unit) => (value === null ? "-" : unit === "mm2" || unit === "" ? Number(value.toPrecision(5)) + (unit ? " mm²" : "") : si(value, unit));
  const wanted = (name) => sweep.objectives.find((each) => each.name === name);
  const titleOf = (metric) => {
    const objective = wanted(metric.name);
    return (objective ? (objective.max ? "max " : "min ") : "") + metric.name;
  };
  const points = sweep.points;
  // Lines of the front are drawn last, so that they lie on top.
  const values = (point) => point.axes.map((text) => (text === "" ? "-" : text)).concat(point.metrics);
  const series = (front) => points.filter((point) => point.front === front).map((point) => ({ value: values(point), point }));

  const option = (style, narrow) => ({
    tooltip: tooltip(style, (at) => {
      const point = at.data.point;
      return "<b>point " + point.id + (point.id === sweep.knee ? ", the knee" : "") + "</b><br>" +
        sweep.axes.map((axis, i) => safe(axis.name) + " " + safe(point.axes[i] || "-")).join("<br>") + "<br>" +
        sweep.metrics.map((metric, i) => safe(metric.name) + " " + safe(inWords(point.metrics[i], metric.unit))).join("<br>");
    }),
    parallel: { left: narrow ? 40 : 70, right: narrow ? 40 : 90, top: 60, bottom: 30, layout: narrow ? "vertical" : "horizontal", axisExpandable: false },
    parallelAxis: sweep.axes.map((axis, dim) => ({ dim, name: axis.name, type: "category", data: axis.values.map((text) => text || "-") }))
      .concat(sweep.metrics.map((metric, i) => ({ dim: sweep.axes.length + i, name: titleOf(metric), type: "value", scale: true, axisLabel: { formatter: (value) => inWords(value, metric.unit) } })))
      .map((axis) => ({
        ...axis, nameLocation: "end", nameTextStyle: { color: style.ink, fontSize: 12, width: 120, overflow: "break" },
        axisLine: { lineStyle: { color: style.soft } }, axisTick: { lineStyle: { color: style.soft } },
        axisLabel: { color: style.soft, ...axis.axisLabel }, areaSelectStyle: { width: 16, borderColor: style.soft, color: style.soft, opacity: 0.25 },
      })),
    series: [
      { name: "feasible", type: "parallel", data: series(false), lineStyle: { color: style.soft, width: 1, opacity: Math.min(0.5, Math.max(0.06, 60 / points.length)) }, inactiveOpacity: 0.02 },
      { name: "front", type: "parallel", data: series(true), z: 3, lineStyle: { color: archsim.shown("#0b5394"), width: 1.6, opacity: 0.85 }, inactiveOpacity: 0.02 },
    ],
  });
  chart("parallel", option);

  const front = points.filter((point) => point.front);
  document.getElementById("points").append(table(
    [{ title: "id", of: (point) => point.id, by: (point) => point.id }]
      .concat(sweep.axes.map((axis, i) => ({ title: axis.name, of: (point) => point.axes[i] || "-", by: (point) => axis.values.indexOf(point.axes[i]) })))
      .concat(sweep.metrics.map((metric, i) => ({ title: titleOf(metric), of: (point) => inWords(point.metrics[i], metric.unit), by: (point) => point.metrics[i] }))),
    front, "The front"));

  // Which points pass all the stretches that were dragged.
  const instance = echarts.getInstanceByDom(document.getElementById("parallel"));
  instance.on("axisareaselected", () => {
    const model = instance.getModel();
    let kept = 0;
    for (const each of model.getSeriesByType("parallel")) kept += each.getRawIndicesByActiveState("active").length + each.getRawIndicesByActiveState("normal").length;
    document.getElementById("kept").textContent = kept + " of " + points.length + " points are kept.";
  });
})();
