#include "sweep/sample/source.h"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <numeric>
#include <random>

namespace archsim {
namespace {

constexpr double kMostCounted = 300e3;

class Grid final : public PointSource {
 public:
  explicit Grid(const Space& space) : space_(space), size_(static_cast<std::uint64_t>(space.size())) {}
  std::optional<Point> next() override {
    while (index_ < size_) {
      const Point point = space_.at(index_++);
      auto settled = space_.settled(point);
      if (settled && Space::is_first(point, *settled)) return settled;
    }
    return {};
  }

 private:
  const Space& space_;
  std::uint64_t size_, index_ = 0;
};

std::uint32_t value_at(double part, std::size_t values) {
  return static_cast<std::uint32_t>(std::min(static_cast<std::size_t>(part * static_cast<double>(values)), values - 1));
}

/// Samples of the unit cube, one coordinate a free axis with more than one value.
class Samples : public PointSource {
 public:
  explicit Samples(const Space& space) : space_(space), left_(space.plan().strategy.samples) {
    const auto& axes = space.plan().axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].is_free()) free_.push_back(i);
    }
  }
  std::optional<Point> next() override {
    while (left_ > 0) {
      --left_;
      Point point = drawn();
      if (auto settled = space_.settled(std::move(point))) return settled;
    }
    return {};
  }

 protected:
  virtual std::vector<double> draw() = 0;
  /// Not settled yet.
  virtual Point drawn() {
    Point point(space_.plan().axes.size(), kNoValue);
    const auto sample = draw();
    for (std::size_t i = 0; i < free_.size(); ++i) {
      point[free_[i]] = value_at(sample[i], space_.plan().axes[free_[i]].values.size());
    }
    return point;
  }
  std::size_t dimensions() const { return free_.size(); }
  const Space& space_;

  std::uint64_t left_;
  std::vector<std::size_t> free_;
};

double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

class Random final : public Samples {
 public:
  explicit Random(const Space& space) : Samples(space), random_(space.plan().seed) {}

 private:
  std::vector<double> draw() override {
    std::vector<double> sample(dimensions());
    for (double& part : sample) part = unit(random_);
    return sample;
  }
  std::mt19937_64 random_;
};

/// Each axis is cut into as many equal parts as there are samples, and each part is used once.
class LatinHypercube final : public Samples {
 public:
  explicit LatinHypercube(const Space& space) : Samples(space), random_(space.plan().seed) {
    for (std::size_t d = 0; d < dimensions(); ++d) {
      std::vector<std::uint32_t> order(space.plan().strategy.samples);
      std::iota(order.begin(), order.end(), 0U);
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
      orders_.push_back(std::move(order));
    }
  }

 private:
  std::vector<double> draw() override {
    std::vector<double> sample(dimensions());
    for (std::size_t d = 0; d < sample.size(); ++d) {
      sample[d] = (orders_[d][drawn_] + unit(random_)) / static_cast<double>(orders_[d].size());
    }
    ++drawn_;
    return sample;
  }
  std::mt19937_64 random_;
  std::vector<std::vector<std::uint32_t>> orders_;
  std::size_t drawn_ = 0;
};

/// Low discrepancy; the seed turns the cube around itself, which keeps it so.
class Sobol final : public Samples {
 public:
  explicit Sobol(const Space& space) : Samples(space), sobol_(std::max<std::size_t>(dimensions(), 1)) {
    std::mt19937_64 random(space.plan().seed);
    for (std::size_t d = 0; d < dimensions(); ++d) turn_.push_back(unit(random));
  }

 private:
  std::vector<double> draw() override {
    std::vector<double> sample(dimensions());
    for (std::size_t d = 0; d < sample.size(); ++d) {
      const double part = static_cast<double>(sobol_() >> 11) * 0x1p-53 + turn_[d];
      sample[d] = part >= 1.0 ? part - 1.0 : part;
    }
    return sample;
  }
  boost::random::sobol sobol_;
  std::vector<double> turn_;
};

/// Around each of so many random points, each axis in turn at another of its values (Campolongo 2011, "From screening to
/// quantitative sensitivity analysis", section 3): pairs of points that differ in one axis, which `sweep sensitivity` reads.
class Radial final : public Samples {
 public:
  explicit Radial(const Space& space) : Samples(space), random_(space.plan().seed) {
    for (std::size_t d = 0; d < free_.size(); ++d) {
      if (values(d) > 1) varied_.push_back(d);
    }
    left_ *= 1 + varied_.size();
  }

 private:
  std::size_t values(std::size_t d) const { return space_.plan().axes[free_[d]].values.size(); }
  std::vector<double> draw() override {
    std::vector<double> sample(dimensions());
    for (double& part : sample) part = unit(random_);
    return sample;
  }
  Point drawn() override {
    if (turn_ == 0) middle_ = Samples::drawn();
    Point point = middle_;
    if (turn_ > 0) {
      const std::size_t d = varied_[turn_ - 1];
      auto& value = point[free_[d]];
      value = static_cast<std::uint32_t>((value + 1 + random_() % (values(d) - 1)) % values(d));
    }
    turn_ = turn_ == varied_.size() ? 0 : turn_ + 1;
    return point;
  }

  std::mt19937_64 random_;
  std::vector<std::size_t> varied_;  // into free_
  std::size_t turn_ = 0;
  Point middle_;
};

}  // namespace

std::unique_ptr<PointSource> make_source(const Space& space) {
  switch (space.plan().strategy.kind) {
    case StrategyKind::random:
      return std::make_unique<Random>(space);
    case StrategyKind::latin_hypercube:
      return std::make_unique<LatinHypercube>(space);
    case StrategyKind::sobol:
      return std::make_unique<Sobol>(space);
    case StrategyKind::radial:
      return std::make_unique<Radial>(space);
    case StrategyKind::grid:
      return std::make_unique<Grid>(space);
    case StrategyKind::nsga2:
      break;
  }
  ARCHSIM_ASSERT(false, "a search lists no points beforehand");
  return nullptr;
}

PointCount count_points(const Space& space) {
  const Strategy& strategy = space.plan().strategy;
  if (strategy.kind == StrategyKind::nsga2) {
    return {static_cast<double>(strategy.search.population) * (1.0 + strategy.search.generations), false};
  }
  if (strategy.kind == StrategyKind::radial) {
    const auto& axes = space.plan().axes;
    const auto varied =
        std::count_if(axes.begin(), axes.end(), [](const Axis& each) { return each.values.size() > 1; });
    return {static_cast<double>(strategy.samples) * static_cast<double>(1 + varied), false};
  }
  if (strategy.kind != StrategyKind::grid) return {static_cast<double>(strategy.samples), false};
  bool has_conditions = false;
  for (const auto& axis : space.plan().axes) has_conditions = has_conditions || axis.when;
  for (const auto& constraint : space.plan().constraints) has_conditions = has_conditions || constraint.is_of_axes;
  if (!has_conditions || space.size() > kMostCounted) return {space.size(), !has_conditions};
  double points = 0.0;
  for (const auto source = make_source(space); source->next();) points += 1.0;
  return {points, true};
}

}  // namespace archsim
