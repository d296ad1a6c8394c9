// Operators that move elements or give them another shape.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "traces/import/onnx/shape/operands.h"

namespace archsim::onnx_graph {
namespace {

void transpose(Operands& of) {
  const Dims& x = of.dims(0);
  Dims order = of.node().integers("perm");
  if (order.empty()) {
    for (std::size_t d = x.size(); d-- > 0;) order.push_back(static_cast<std::int64_t>(d));
  }
  std::vector<bool> seen(x.size(), false);
  Dims out;
  for (const auto from : order) {
    const std::size_t axis = Operands::axis(from, x.size());
    if (seen[axis]) throw Unfit{fmt::format("has perm {} for {}", text_of(order), text_of(x))};
    seen[axis] = true;
    out.push_back(x[axis]);
  }
  if (out.size() != x.size()) throw Unfit{fmt::format("has perm {} for {}", text_of(order), text_of(x))};
  of.result(out);
}

void same_elements(Operands& of, const Dims& out) {
  if (elements_of(out) != elements_of(of.dims(0))) {
    throw Unfit{fmt::format("cannot make {} of {}", text_of(out), text_of(of.dims(0)))};
  }
  of.result(out);
}

void reshape(Operands& of) {
  const Dims& x = of.dims(0);
  Dims out = of.wholes(1);
  std::int64_t known = 1;
  std::ptrdiff_t open = -1;
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (out[d] == 0 && of.node().integer("allowzero", 0) == 0 && d < x.size()) out[d] = x[d];
    if (out[d] == -1 && open < 0) {
      open = static_cast<std::ptrdiff_t>(d);
    } else if (out[d] < 0 || !elements_of({known, out[d]})) {
      throw Unfit{fmt::format("cannot make {} of {}", text_of(of.wholes(1)), text_of(x))};
    } else {
      known *= out[d];
    }
  }
  if (open >= 0) out[static_cast<std::size_t>(open)] = known > 0 ? *elements_of(x) / known : 0;
  same_elements(of, out);
}

void flatten(Operands& of) {
  const Dims& x = of.dims(0);
  const std::int64_t axis = of.node().integer("axis", 1), rank = static_cast<std::int64_t>(x.size());
  if (axis < -rank || axis > rank) throw Unfit{fmt::format("has axis {} of {} axes", axis, rank)};
  const auto split = x.begin() + (axis < 0 ? axis + rank : axis);
  of.result({*elements_of(Dims(x.begin(), split)), *elements_of(Dims(split, x.end()))});
}

void squeeze(Operands& of) {
  const auto axes = of.wholes_or("axes", 1);
  const Dims& x = of.dims(0);
  std::vector<bool> gone(x.size(), false);
  for (std::size_t d = 0; d < x.size(); ++d) gone[d] = !axes && x[d] == 1;
  if (axes) {
    for (const auto axis : *axes) gone[Operands::axis(axis, x.size())] = true;
  }
  Dims out;
  for (std::size_t d = 0; d < x.size(); ++d) {
    if (!gone[d]) out.push_back(x[d]);
  }
  same_elements(of, out);
}

void unsqueeze(Operands& of) {
  const auto axes = of.wholes_or("axes", 1);
  if (!axes) throw Unfit{"has no axes"};
  Dims out(of.rank(0) + axes->size(), 0);
  if (out.size() > 64) throw Unfit{"makes more than 64 axes"};
  for (const auto axis : *axes) out[Operands::axis(axis, out.size())] = 1;
  auto from = of.dims(0).begin();
  for (auto& extent : out) {
    if (extent == 1) continue;
    if (from == of.dims(0).end()) throw Unfit{"names an axis twice"};
    extent = *from++;
  }
  if (from != of.dims(0).end()) throw Unfit{"names an axis twice"};
  of.result(out);
}

void expand(Operands& of) { of.result(broadcast(of.dims(0), of.wholes(1))); }

void tile(Operands& of) {
  Dims out = of.dims(0);
  const Dims times = of.wholes(1);
  if (times.size() != out.size()) throw Unfit{fmt::format("repeats {} by {}", text_of(out), text_of(times))};
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (times[d] < 0 || !elements_of({out[d], times[d]})) throw Unfit{fmt::format("repeats by {}", text_of(times))};
    out[d] *= times[d];
  }
  of.result(out);
}

void concat(Operands& of) {
  if (of.inputs() == 0) throw Unfit{"joins nothing"};
  const std::size_t axis = of.axis(0);
  Dims out = of.dims(0);
  for (std::size_t i = 1; i < of.inputs(); ++i) {
    Dims like = of.dims(i);
    if (like.size() != out.size() || !elements_of({out[axis] + like[axis]})) {
      throw Unfit{fmt::format("cannot join {} and {}", text_of(out), text_of(like))};
    }
    const std::int64_t more = like[axis];
    like[axis] = out[axis];
    if (like != out) throw Unfit{fmt::format("cannot join {} and {}", text_of(out), text_of(of.dims(i)))};
    out[axis] += more;
  }
  of.result(out);
}

void split(Operands& of) {
  const std::size_t axis = of.axis(0);
  const std::int64_t extent = of.dims(0)[axis];
  const auto count = static_cast<std::int64_t>(of.outputs());
  auto parts = of.wholes_or("split", 1);
  if (!parts) {
    const std::int64_t each = count == 0 ? 0 : (extent + count - 1) / count;
    parts.emplace();
    for (std::int64_t i = 0; i < count; ++i) {
      parts->push_back(std::clamp<std::int64_t>(extent - i * each, 0, each));
    }
  }
  std::int64_t sum = 0;
  for (const auto part : *parts) sum += part < 0 || part > extent ? extent + 1 : part;
  if (sum != extent || static_cast<std::int64_t>(parts->size()) != count) {
    throw Unfit{fmt::format("splits {} into {} for {} results", extent, text_of(*parts), count)};
  }
  for (std::size_t i = 0; i < of.outputs(); ++i) {
    Dims out = of.dims(0);
    out[axis] = (*parts)[i];
    of.result(out, i);
  }
}

void slice(Operands& of) {
  Dims out;
  for (const auto& part : parts_of(of)) out.push_back(part.count);
  of.result(out);
}

void gather(Operands& of) {
  const std::size_t axis = of.axis(0);
  Dims out = of.dims(0);
  const Dims& ids = of.dims(1);
  const auto at = out.begin() + static_cast<std::ptrdiff_t>(axis);
  out.erase(at);
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), ids.begin(), ids.end());
  if (out.size() > 64) throw Unfit{"makes more than 64 axes"};
  of.result(out);
}

void scatter(Operands& of) {
  of.value(2);
  of.result(of.dims(0));
}

void pad(Operands& of) {
  const auto pads = of.wholes_or("pads", 1);
  Dims out = of.dims(0);
  if (of.has(3)) throw Unfit{"pads named axes only"};
  if (!pads || pads->size() != 2 * out.size()) throw Unfit{fmt::format("has no pads for {} axes", out.size())};
  for (std::size_t d = 0; d < out.size(); ++d) {
    for (const auto more : {(*pads)[d], (*pads)[d + out.size()]}) {
      if (more < -out[d] || more > (std::int64_t{1} << 31)) throw Unfit{fmt::format("has pads {}", text_of(*pads))};
      out[d] += more;
    }
  }
  of.result(out);
}

void resize(Operands& of) {
  const Dims& x = of.dims(0);
  const bool is_old = of.node().op == "Upsample" || of.opset() < 11;
  const std::size_t scales_at = is_old ? 1 : 2;
  if (of.node().has("axes")) throw Unfit{"resizes named axes only"};
  if (of.inputs() > 3 && of.has(3)) {
    const Dims sizes = of.wholes(3);
    if (sizes.size() != x.size()) throw Unfit{fmt::format("makes {} of {}", text_of(sizes), text_of(x))};
    return of.result(sizes);
  }
  std::vector<double> scales =
      of.node().has("scales") ? of.node().attributes.at("scales").reals : std::vector<double>{};
  if (scales.empty()) {
    const Value& operand = of.value(scales_at);
    if (!operand.known) throw Unfit{fmt::format("needs `{}` to be known before the model runs", operand.name)};
    scales = operand.known->real;
  }
  if (scales.size() != x.size()) throw Unfit{fmt::format("has {} scales for {}", scales.size(), text_of(x))};
  Dims out;
  for (std::size_t d = 0; d < x.size(); ++d) {
    const double extent = std::floor(static_cast<double>(x[d]) * scales[d]);
    if (!(extent >= 1.0 && extent < 0x1p40)) throw Unfit{fmt::format("scales axis {} by {}", d, scales[d])};
    out.push_back(static_cast<std::int64_t>(extent));
  }
  of.result(out);
}

void depth_to_space(Operands& of) {
  Dims x = of.dims(0);
  const std::int64_t block = of.node().integer("blocksize", 0);
  const bool to_depth = of.node().op == "SpaceToDepth";
  if (x.size() != 4 || block < 1 || block > 1024)
    throw Unfit{fmt::format("cuts {} into blocks of {}", text_of(x), block)};
  const bool fits = to_depth ? x[2] % block == 0 && x[3] % block == 0 : x[1] % (block * block) == 0;
  if (!fits) throw Unfit{fmt::format("cuts {} into blocks of {}", text_of(x), block)};
  if (to_depth) {
    of.result({x[0], x[1] * block * block, x[2] / block, x[3] / block});
  } else {
    of.result({x[0], x[1] / (block * block), x[2] * block, x[3] * block});
  }
}

const std::map<std::string_view, Entry>& rules() {
  static const std::map<std::string_view, Entry> all = {
      {"Transpose", {transpose}},
      {"Reshape", {reshape}},
      {"Flatten", {flatten}},
      {"Squeeze", {squeeze}},
      {"Unsqueeze", {unsqueeze}},
      {"Expand", {expand}},
      {"Tile", {tile}},
      {"Concat", {concat}},
      {"Split", {split}},
      {"Slice", {slice}},
      {"Gather", {gather}},
      {"Pad", {pad}},
      {"Resize", {resize}},
      {"Upsample", {resize}},
      {"SpaceToDepth", {depth_to_space}},
      {"DepthToSpace", {depth_to_space}},
      {"ScatterND", {scatter}},
  };
  return all;
}

}  // namespace

std::vector<Part> parts_of(const Operands& slice) {
  const Dims& x = slice.dims(0);
  std::vector<Part> parts;
  for (const auto extent : x) parts.push_back({0, extent, 1});
  const auto begins = slice.wholes_or("starts", 1), ends = slice.wholes_or("ends", 2);
  const auto axes = slice.wholes_or("axes", 3), steps = slice.wholes_or("steps", 4);
  if (!begins || !ends || begins->size() != ends->size() || (axes && axes->size() != begins->size()) ||
      (steps && steps->size() != begins->size())) {
    throw Unfit{"has starts, ends, axes and steps that do not belong together"};
  }
  constexpr auto kFar = std::int64_t{1} << 50;
  for (std::size_t i = 0; i < begins->size(); ++i) {
    const std::size_t axis = Operands::axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), x.size());
    const std::int64_t extent = x[axis], step = steps ? (*steps)[i] : 1;
    if (step == 0 || step < -kFar || step > kFar) throw Unfit{fmt::format("has a step of {}", step)};
    const auto settled = [&](std::int64_t at) {
      at = std::clamp(at, -kFar, kFar);
      if (at < 0) at += extent;
      return step > 0 ? std::clamp<std::int64_t>(at, 0, extent) : std::clamp<std::int64_t>(at, -1, extent - 1);
    };
    const std::int64_t begin = settled((*begins)[i]);
    // An end that is far below 0 means the front of the axis when it is gone through backwards.
    const std::int64_t end = settled((*ends)[i]);
    const std::int64_t span = step > 0 ? end - begin : begin - end, pace = std::abs(step);
    parts[axis] = {begin, span <= 0 ? 0 : (span + pace - 1) / pace, step};
  }
  return parts;
}

Entry rearranging_rule(std::string_view op) {
  const auto found = rules().find(op);
  return found == rules().end() ? Entry{} : found->second;
}

}  // namespace archsim::onnx_graph
