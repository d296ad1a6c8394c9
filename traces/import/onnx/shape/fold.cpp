// The values of constants: shape arithmetic, masks, and factors.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "traces/import/onnx/shape/operands.h"
#include "traces/import/onnx/shape/settle.h"

namespace archsim::onnx_graph {
namespace {

using Places = std::vector<std::int64_t>;

// Row-major number of a place of `dims`, where axes of extent 1 stand still and leading axes may be missing.
std::size_t spread_index(const Places& place, const Dims& dims) {
  std::int64_t index = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t at = place[place.size() - dims.size() + d];
    index = index * dims[d] + (dims[d] == 1 ? 0 : at);
  }
  return static_cast<std::size_t>(index);
}

// `visit` for every place of `dims`, the last axis fastest.
template <class Visit>
void for_each_place(const Dims& dims, Visit visit) {
  const auto count = elements_of(dims).value_or(0);
  Places place(dims.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    visit(static_cast<const Places&>(place));
    for (std::size_t d = dims.size(); d-- > 0;) {
      if (++place[d] < dims[d]) break;
      place[d] = 0;
    }
  }
}

class Folder {
 public:
  Folder(const Graph& graph, const Node& node) : graph_(graph), node_(node), out_(graph[node.out[0]]) {}

  Known run() {
    if (node_.op == "Shape") return wholes(extents());
    if (node_.op == "Size") return wholes({elements_of(graph_[node_.in[0]].dims).value_or(0)});
    for (const Id in : node_.in) {
      if (in != kAbsent && !graph_[in].known) return {};
    }
    if (const auto moved = rearranged()) return *moved ? *moved : Known{};
    return computed();
  }

 private:
  const Value& in(std::size_t i) const { return graph_[node_.in[i]]; }
  double number(std::size_t i, const Places& place) const {
    return in(i).known->number(spread_index(place, in(i).dims));
  }

  static Known wholes(Dims values) { return std::make_shared<const Elements>(Elements{.whole = std::move(values)}); }

  Dims extents() const {
    Operands of(const_cast<Graph&>(graph_), node_);
    const Dims& dims = of.dims(0);
    const auto rank = static_cast<std::int64_t>(dims.size());
    const std::int64_t start = node_.integer("start", 0);
    const std::int64_t begin = std::clamp<std::int64_t>(start < 0 ? start + rank : start, 0, rank);
    const auto count = out_.dims[0];
    return Dims(dims.begin() + begin, dims.begin() + begin + count);
  }

  // Every element of the result is that of one place of operand `from`.
  template <class From>
  Known moved(std::size_t operand, From from) const {
    Elements out;
    const Elements& source = *in(operand).known;
    for_each_place(out_.dims, [&](const Places& place) {
      const std::size_t index = from(place);
      if (!source.whole.empty()) {
        out.whole.push_back(source.whole[index]);
      } else {
        out.real.push_back(source.real[index]);
      }
    });
    return std::make_shared<const Elements>(std::move(out));
  }

  // Empty if the node does not only move elements.
  std::optional<Known> rearranged() const {
    const auto& op = node_.op;
    if (op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || op == "Flatten" || op == "Identity" ||
        op == "Dropout") {
      return in(0).known;
    }
    if (op == "Expand") return moved(0, [&](const Places& at) { return spread_index(at, in(0).dims); });
    if (op == "Tile") {
      return moved(0, [&](Places at) {
        for (std::size_t d = 0; d < at.size(); ++d) at[d] %= in(0).dims[d];
        return spread_index(at, in(0).dims);
      });
    }
    if (op == "Transpose") return transposed();
    if (op == "Slice") return sliced();
    if (op == "Gather") return gathered();
    if (op == "Concat") return joined();
    if (op == "ScatterND") return scattered();
    return std::nullopt;
  }

  Known transposed() const {
    Dims order = node_.integers("perm");
    const std::size_t rank = in(0).dims.size();
    if (order.empty()) {
      for (std::size_t d = rank; d-- > 0;) order.push_back(static_cast<std::int64_t>(d));
    }
    return moved(0, [&](const Places& at) {
      Places from(rank);
      for (std::size_t d = 0; d < rank; ++d) from[Operands::axis(order[d], rank)] = at[d];
      return spread_index(from, in(0).dims);
    });
  }

  Known sliced() const {
    const auto parts = parts_of(Operands(const_cast<Graph&>(graph_), node_));
    return moved(0, [&](Places at) {
      for (std::size_t d = 0; d < at.size(); ++d) at[d] = parts[d].begin + at[d] * parts[d].step;
      return spread_index(at, in(0).dims);
    });
  }

  Known gathered() const {
    const std::size_t axis = Operands::axis(node_.integer("axis", 0), in(0).dims.size());
    const Dims& ids = in(1).dims;
    const std::int64_t extent = in(0).dims[axis];
    if (in(1).known->whole.size() != in(1).known->size()) return {};
    for (const auto id : in(1).known->whole) {
      if (id < -extent || id >= extent) throw Unfit{"names a place beyond its axis"};
    }
    return moved(0, [&](const Places& at) {
      const auto begin = at.begin() + static_cast<std::ptrdiff_t>(axis);
      const auto end = begin + static_cast<std::ptrdiff_t>(ids.size());
      Places from(at.begin(), begin);
      const std::int64_t id = in(1).known->whole[spread_index(Places(begin, end), ids)];
      from.push_back(id < 0 ? id + extent : id);
      from.insert(from.end(), end, at.end());
      return spread_index(from, in(0).dims);
    });
  }

  Known joined() const {
    const std::size_t axis = Operands::axis(node_.integer("axis", 0), out_.dims.size());
    for (std::size_t i = 0; i < node_.in.size(); ++i) {
      if (is_whole(in(i).type) != is_whole(out_.type)) return {};
    }
    Elements out;
    for_each_place(out_.dims, [&](Places at) {
      std::size_t which = 0;
      while (at[axis] >= in(which).dims[axis]) at[axis] -= in(which++).dims[axis];
      const std::size_t index = spread_index(at, in(which).dims);
      const Elements& source = *in(which).known;
      if (is_whole(out_.type)) {
        out.whole.push_back(source.whole[index]);
      } else {
        out.real.push_back(source.real[index]);
      }
    });
    return std::make_shared<const Elements>(std::move(out));
  }

  // Data, and at the places that the rows of `indices` name, what `updates` has.
  Known scattered() const {
    const Dims &dims = in(0).dims, &rows = in(1).dims;
    const auto& places = in(1).known->whole;
    const bool is_plain = node_.text("reduction", "none") == "none" && !rows.empty() && !dims.empty() &&
                          is_whole(in(2).type) == is_whole(out_.type) && places.size() == in(1).known->size();
    const auto depth = rows.empty() ? 0 : rows.back();
    if (!is_plain || depth < 1 || depth > static_cast<std::int64_t>(dims.size())) return {};
    const auto run = elements_of(Dims(dims.begin() + depth, dims.end())).value_or(0);
    const auto count = static_cast<std::int64_t>(places.size()) / depth;
    if (count * run != static_cast<std::int64_t>(in(2).known->size())) return {};
    Elements out = *in(0).known;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t at = place_of(dims, places, i * depth, depth);
      for (std::int64_t r = 0; r < run; ++r) {
        const auto to = static_cast<std::size_t>(at * run + r), from = static_cast<std::size_t>(i * run + r);
        if (is_whole(out_.type)) out.whole[to] = in(2).known->whole[from];
        if (!is_whole(out_.type)) out.real[to] = in(2).known->real[from];
      }
    }
    return std::make_shared<const Elements>(std::move(out));
  }

  static std::int64_t place_of(const Dims& dims, const Dims& places, std::int64_t first, std::int64_t depth) {
    std::int64_t at = 0;
    for (std::int64_t d = 0; d < depth; ++d) {
      const std::int64_t extent = dims[static_cast<std::size_t>(d)];
      const std::int64_t place = places[static_cast<std::size_t>(first + d)];
      if (place < -extent || place >= extent) throw Unfit{"names a place beyond its axis"};
      at = at * extent + (place < 0 ? place + extent : place);
    }
    return at;
  }

  // Every element by arithmetic in double, integers exactly.
  Known computed() const {
    const auto function = function_of();
    if (!function) return {};
    Elements out;
    bool fits = true;
    for_each_place(out_.dims, [&](const Places& at) {
      const double y = function(at);
      if (!is_whole(out_.type)) return out.real.push_back(y);
      fits &= std::isfinite(y) && std::abs(y) < 0x1p62;
      out.whole.push_back(fits ? static_cast<std::int64_t>(std::trunc(y)) : 0);
    });
    return fits ? std::make_shared<const Elements>(std::move(out)) : Known{};
  }

  using Function = std::function<double(const Places&)>;

  Function function_of() const {
    const auto& op = node_.op;
    if (op == "Cast" || op == "CastLike") {
      // A large whole number survives only in `whole`; what is cast to whole is cut off.
      if (out_.type == Type::boolean) return [this](const Places& at) { return number(0, at) != 0.0 ? 1.0 : 0.0; };
      return [this](const Places& at) { return number(0, at); };
    }
    if (op == "ConstantOfShape") {
      double fill = 0.0;
      if (node_.tensor("value") != kAbsent) {
        const Value& value = graph_[node_.tensor("value")];
        if (!value.known || value.known->size() != 1) return {};
        fill = value.known->number(0);
      }
      return [fill](const Places&) { return fill; };
    }
    if (op == "Range") {
      return [this](const Places& at) {
        return in(0).known->number(0) + static_cast<double>(at[0]) * in(2).known->number(0);
      };
    }
    if (op == "Where") {
      return [this](const Places& at) { return number(0, at) != 0.0 ? number(1, at) : number(2, at); };
    }
    if (op == "Trilu") return trilu();
    if (op.starts_with("Reduce")) return {};
    return by_arithmetic();
  }

  Function trilu() const {
    const bool upper = node_.integer("upper", 1) != 0;
    const bool has_k = node_.input(1) != kAbsent;
    if (out_.dims.size() < 2 || (has_k && in(1).known->size() != 1)) return {};
    const double k = has_k ? in(1).known->number(0) : 0.0;
    return [this, upper, k](const Places& at) {
      const double above = static_cast<double>(at[at.size() - 1]) - static_cast<double>(at[at.size() - 2]);
      return (upper ? above >= k : above <= k) ? number(0, at) : 0.0;
    };
  }

  Function by_arithmetic() const {
    using Two = double (*)(double, double);
    static const std::map<std::string_view, Two> two = {
        {"Add", [](double a, double b) { return a + b; }},
        {"Sub", [](double a, double b) { return a - b; }},
        {"Mul", [](double a, double b) { return a * b; }},
        {"Pow", [](double a, double b) { return std::pow(a, b); }},
        {"Max", [](double a, double b) { return std::max(a, b); }},
        {"Min", [](double a, double b) { return std::min(a, b); }},
        {"Equal", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
        {"Less", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
        {"LessOrEqual", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
        {"Greater", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
        {"GreaterOrEqual", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
        {"And", [](double a, double b) { return a != 0.0 && b != 0.0 ? 1.0 : 0.0; }},
        {"Or", [](double a, double b) { return a != 0.0 || b != 0.0 ? 1.0 : 0.0; }},
        {"Xor", [](double a, double b) { return (a != 0.0) != (b != 0.0) ? 1.0 : 0.0; }},
        {"Mod", [](double a, double b) { return b == 0.0 ? NAN : a - b * std::floor(a / b); }}};
    using One = double (*)(double);
    static const std::map<std::string_view, One> one = {
        {"Neg", [](double x) { return -x; }},
        {"Abs", [](double x) { return std::abs(x); }},
        {"Sqrt", [](double x) { return std::sqrt(x); }},
        {"Reciprocal", [](double x) { return 1.0 / x; }},
        {"Exp", [](double x) { return std::exp(x); }},
        {"Log", [](double x) { return std::log(x); }},
        {"Floor", [](double x) { return std::floor(x); }},
        {"Ceil", [](double x) { return std::ceil(x); }},
        {"Round", [](double x) { return std::nearbyint(x); }},
        {"Not", [](double x) { return x == 0.0 ? 1.0 : 0.0; }},
        {"Sin", [](double x) { return std::sin(x); }},
        {"Cos", [](double x) { return std::cos(x); }},
        {"Sign", [](double x) { return x > 0.0   ? 1.0
                                       : x < 0.0 ? -1.0
                                                 : 0.0; }},
        {"IsNaN", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }}};
    if (const auto found = one.find(node_.op); found != one.end() && node_.in.size() == 1) {
      return [this, function = found->second](const Places& at) { return function(number(0, at)); };
    }
    if (node_.op == "Div") {
      const bool whole = is_whole(out_.type);
      return [this, whole](const Places& at) {
        const double quotient = number(0, at) / number(1, at);
        return whole ? std::trunc(quotient) : quotient;
      };
    }
    if (const auto found = two.find(node_.op); found != two.end() && node_.in.size() == 2) {
      return [this, function = found->second](const Places& at) { return function(number(0, at), number(1, at)); };
    }
    return {};
  }

  const Graph& graph_;
  const Node& node_;
  const Value& out_;
};

}  // namespace

Known fold(const Graph& graph, const Node& node) { return Folder(graph, node).run(); }

}  // namespace archsim::onnx_graph
