#include "sweep/search/nsga2.h"

#include <cmath>
#include <map>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <set>

#include "sweep/search/genome.h"

namespace archsim {
namespace {

// Beyond every objective in SI units, once more for each constraint that is broken.
constexpr double kBeyond = 1e30;
// How near children are to parents: both distribution indices of Deb 2002, section V.
constexpr double kNearness = 20.0;

/// The points that the search has seen, and what pagmo is told of them.
class Seen {
 public:
  Seen(const Space& space, const EvaluateAll& evaluate) : space_(space), evaluate_(evaluate), genome_(space.plan()) {}

  const Genome& genome() const { return genome_; }
  std::size_t objectives() const { return space_.plan().objectives.size(); }

  /// Of so many genomes one behind the other.
  pagmo::vector_double fitness(const pagmo::vector_double& genomes) {
    std::vector<std::optional<Point>> points;
    std::vector<Point> fresh;
    std::set<Point> asked;
    for (std::size_t at = 0; at < genomes.size(); at += genome_.size()) {
      points.push_back(space_.settled(genome_.point(&genomes[at])));
      const auto& point = points.back();
      if (point && !known_.contains(*point) && asked.insert(*point).second) fresh.push_back(*point);
    }
    const auto results = fresh.empty() ? std::vector<PointResult>() : evaluate_(fresh);
    for (std::size_t i = 0; i < fresh.size(); ++i) known_[fresh[i]] = of_result(fresh[i], results[i]);
    pagmo::vector_double all;
    for (const auto& point : points) {
      const auto each = point ? known_.at(*point) : beyond(space_.plan().constraints.size() + 1);
      all.insert(all.end(), each.begin(), each.end());
    }
    return all;
  }

 private:
  pagmo::vector_double beyond(std::size_t broken) const {
    return pagmo::vector_double(objectives(), kBeyond * static_cast<double>(1 + broken));
  }

  pagmo::vector_double of_result(const Point& point, const PointResult& result) const {
    if (result.status == PointStatus::failed) return beyond(space_.plan().constraints.size() + 1);
    const std::size_t broken = broken_constraints(space_, point, result.metrics).size();
    if (broken > 0) return beyond(broken);
    pagmo::vector_double all;
    for (const auto& objective : space_.plan().objectives) {
      const double value = result.metrics[objective.metric];
      if (std::isnan(value)) return beyond(space_.plan().constraints.size() + 1);
      all.push_back(objective.is_maximized ? -value : value);
    }
    return all;
  }

  const Space& space_;
  const EvaluateAll& evaluate_;
  Genome genome_;
  std::map<Point, pagmo::vector_double> known_;
};

/// What pagmo calls a problem: it copies it, and wants one that is made of nothing.
struct Problem {
  Seen* seen = nullptr;
  pagmo::vector_double fitness(const pagmo::vector_double& genome) const { return seen->fitness(genome); }
  std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    return {seen->genome().low(), seen->genome().high()};
  }
  pagmo::vector_double::size_type get_nobj() const { return seen->objectives(); }
  pagmo::vector_double::size_type get_nix() const { return seen->genome().whole(); }
};

/// A generation at once.
struct Batch {
  Seen* seen = nullptr;
  pagmo::vector_double operator()(const pagmo::problem&, const pagmo::vector_double& genomes) const {
    return seen->fitness(genomes);
  }
};

}  // namespace

void search_nsga2(const Space& space, const EvaluateAll& evaluate) {
  const Plan& plan = space.plan();
  const SearchParams& params = plan.strategy.search;
  Seen seen(space, evaluate);
  const auto seed = static_cast<unsigned>(plan.seed ^ (plan.seed >> 32));
  const double mutation = params.mutation.value_or(1.0 / static_cast<double>(seen.genome().size()));
  pagmo::nsga2 search(params.generations, params.crossover, kNearness, mutation, kNearness, seed);
  search.set_bfe(pagmo::bfe(Batch{&seen}));
  search.evolve(pagmo::population(pagmo::problem(Problem{&seen}), pagmo::bfe(Batch{&seen}), params.population, seed));
}

}  // namespace archsim
