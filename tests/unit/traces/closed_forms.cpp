#include "tests/unit/traces/closed_forms.h"

#include <functional>
#include <stdexcept>

namespace archsim {
namespace {

using Count = std::uint64_t;

Count square(Count x) { return x * x; }
Count half_up(Count x) { return (x + 1) / 2; }

// Layers of four square products, two of an MLP, and attention among `tokens`; `each` elements of patches embedded.
struct Tower {
  Count tokens, width, layers, mlp, patches = 0, each = 0;
};
Count tower(const Tower& t) {
  const Count layer = t.tokens * (4 * square(t.width) + 2 * t.width * t.mlp) + 2 * square(t.tokens) * t.width;
  return t.patches * t.each * t.width + t.layers * layer;
}
Count siglip(Count patches) {
  return tower({.tokens = patches, .width = 1152, .layers = 27, .mlp = 4304, .patches = patches, .each = 588});
}

// Decoder layers with gated MLPs.
struct Decoder {
  Count width, queries, values, mlp, layers;
};
Count decoder(const Decoder& d, Count rows, Count keys) {
  const Count products = 2 * d.width * d.queries + 2 * d.width * d.values + 3 * d.width * d.mlp;
  return d.layers * (rows * products + 2 * rows * keys * d.queries);
}
constexpr Decoder kGemma{.width = 2048, .queries = 2048, .values = 256, .mlp = 16384, .layers = 18};
constexpr Decoder kExpert{.width = 1024, .queries = 2048, .values = 256, .mlp = 4096, .layers = 18};
constexpr Decoder kLlama{.width = 4096, .queries = 4096, .values = 4096, .mlp = 11008, .layers = 32};

// A layer run again but for its last product, and then back: products transposed, scores made again, gradients of
// probabilities and queries for all keys, of keys and values for the rows' own.
Count guided(const Decoder& d, Count rows, Count keys, Count own_keys) {
  const Count q_and_o = 2 * d.width * d.queries, k_and_v = own_keys > 0 ? 2 * d.width * d.values : 0;
  const Count again = rows * (q_and_o + k_and_v + 2 * d.width * d.mlp) + 2 * rows * keys * d.queries;
  const Count back = rows * (q_and_o + k_and_v + 3 * d.width * d.mlp) + rows * (3 * keys + 2 * own_keys) * d.queries;
  return d.layers * (again + back);
}

Count pi0(const Knobs& k) {
  const Count cameras = k.number("cameras", 3), horizon = k.number("action_horizon", 50);
  const bool kept = k.is("state_token", "kept"), chunking = k.is("guidance", "real_time_chunking");
  const Count prefix = 256 * cameras + k.number("language_tokens", 48), keys = prefix + 1 + horizon;
  const Count rows = horizon + (kept ? 0 : 1), state = 32 * 1024;
  const Count ends = horizon * (32 * 1024 + 2048 * 1024 + 1024 * 1024 + 1024 * 32);
  Count step = ends + decoder(kExpert, rows, keys) + (kept ? 0 : state);
  if (chunking) step += ends + guided(kExpert, rows, keys, rows);
  return cameras * (siglip(256) + 256 * 1152 * 2048) + decoder(kGemma, prefix, prefix) +
         (kept ? state + decoder(kExpert, 1, prefix + 1) : 0) + k.number("steps", 10) * step;
}

Count pi05(const Knobs& k) {
  const Count cameras = k.number("cameras", 3), horizon = k.number("action_horizon", 50);
  const bool computed = !k.is("modulation", "precomputed");
  const Count prefix = 256 * cameras + k.number("language_tokens", 200), keys = prefix + horizon;
  const Count ends = horizon * 2 * 32 * 1024, modulation = 1024 * 3072;
  Count step = ends + decoder(kExpert, horizon, keys) + (computed ? 2 * 1024 * 1024 + 37 * modulation : 0);
  if (k.is("guidance", "real_time_chunking")) {
    step += ends + guided(kExpert, horizon, keys, horizon) + (computed ? 36 * modulation : 0);
  }
  return cameras * (siglip(256) + 256 * 1152 * 2048) + decoder(kGemma, prefix, prefix) + k.number("steps", 10) * step;
}

// Steps that each see one key more, or all what the middle one sees.
Count decoding(const Decoder& d, const Knobs& k, Count prefill, Count steps) {
  Count sum = 0;
  for (Count i = 0; i < steps; ++i) sum += decoder(d, 1, prefill + (k.is("context", "growing") ? i : steps / 2) + 1);
  return sum;
}

Count pi0_fast(const Knobs& k) {
  const Count cameras = k.number("cameras", 3), steps = k.number("action_tokens", 50);
  const Count prefill = 256 * cameras + k.number("language_tokens", 250);
  const Count logits = 2048 * (k.is("action_vocabulary", "actions") ? 1024 : 257152);
  return cameras * (siglip(256) + 256 * 1152 * 2048) + decoder(kGemma, prefill, prefill) +
         decoding(kGemma, k, prefill, steps) + (steps + (k.is("logits", "last") ? 1 : prefill)) * logits;
}

Count openvla_towers() {
  const Tower dino{.tokens = 261, .width = 1024, .layers = 24, .mlp = 4096, .patches = 256, .each = 588};
  return tower(dino) + siglip(256) + Count{256} * (2176 * 8704 + 8704 * 4096 + 4096 * 4096);
}

Count openvla(const Knobs& k) {
  const Count cameras = k.number("cameras", 1), steps = k.number("action_tokens", 7) - 1;
  const Count prefill = 256 * cameras + k.number("prompt_tokens", 24);
  const Count logits = 4096 * (k.is("action_vocabulary", "actions") ? 256 : 32064);
  return cameras * openvla_towers() + decoder(kLlama, prefill, prefill) + decoding(kLlama, k, prefill, steps) +
         (steps + (k.is("logits", "last") ? 1 : prefill)) * logits;
}

struct Oft {
  Count cameras, chunk, actions, proprio;
  bool film;
};
Count oft(const Knobs& k, const Oft& o) {
  const Count cameras = k.number("cameras", o.cameras), chunk = k.number("chunk", o.chunk);
  const Count prompt = k.number("prompt_tokens", 24), rows = 256 * cameras + prompt + 1 + chunk * o.actions + 1;
  const Count film = o.film ? 2ULL * 4096 * (24 * 1024 + 27 * 1152) : 0;
  const Count calls = k.is("batched_cameras", "yes") ? 1 : cameras;
  return cameras * openvla_towers() + calls * film + (o.film ? prompt * 4096 : 0) + decoder(kLlama, rows, rows) +
         (k.is("logits", "none") ? 0 : rows * 4096 * 32064) + o.proprio * 4096 + 4096 * 4096 +
         chunk * (o.actions * 4096 * 4096 + 2 * 4096 * 4096 + 4096 * o.actions);
}

Count cogact(const Knobs& k) {
  const Count cameras = k.number("cameras", 1), horizon = k.number("horizon", 16);
  const Count prefill = 256 * cameras + k.number("prompt_tokens", 26), batch = k.is("guidance", "none") ? 1 : 2;
  const Count tokens = 1 + horizon;
  const Count layer = batch * (tokens * 12 * 768 * 768 + 2 * square(tokens) * 768);
  const Count ends = 256 * 768 + 768 * 768 + batch * 4096 * 768 + horizon * 7 * 768 + batch * tokens * 768 * 7;
  return cameras * openvla_towers() + decoder(kLlama, prefill, prefill) +
         (k.is("logits", "none") ? 0 : prefill * 4096 * 32064) + k.number("steps", 10) * (12 * layer + ends);
}

Count smolvla(const Knobs& k) {
  const Count cameras = k.number("cameras", 2), horizon = k.number("action_horizon", 50);
  const bool cached = k.is("cross_keys", "cached");
  const Count prefix = 64 * cameras + k.number("language_tokens", 16) + 1;
  const Tower eye{.tokens = 1024, .width = 768, .layers = 12, .mlp = 3072, .patches = 1024, .each = 768};
  const Decoder trunk{.width = 960, .queries = 960, .values = 320, .mlp = 2560, .layers = 16};
  const Decoder self{.width = 720, .queries = 960, .values = 320, .mlp = 2048, .layers = 8};
  const Decoder cross{.width = 720, .queries = 960, .values = 0, .mlp = 2048, .layers = 8};
  const Count ends = horizon * (2 * 32 * 720 + 1440 * 720 + 720 * 720), keys = 8 * 2 * prefix * 320 * 320;
  Count step = ends + decoder(self, horizon, prefix + horizon) + decoder(cross, horizon, prefix) + (cached ? 0 : keys);
  if (k.is("guidance", "real_time_chunking")) {
    step += ends + guided(self, horizon, prefix + horizon, horizon) + guided(cross, horizon, prefix, 0) +
            (cached ? 0 : keys);
  }
  return cameras * (tower(eye) + 64 * 12288 * 960) + decoder(trunk, prefix, prefix) + 32 * 960 + (cached ? keys : 0) +
         k.number("steps", 10) * step;
}

Count rdt(const Knobs& k) {
  const Count images = k.number("cameras", 3) * k.number("history", 2), language = k.number("language_tokens", 32);
  const Count horizon = k.number("horizon", 64), rows = 3 + horizon, places = 729 * images, wide = 2048 * 2048;
  const bool cached = k.is("cross_keys", "cached"), kept = !k.is("state_token", "computed");
  const Count state = 256 * 2048 + 2 * wide, keys = 14 * (language + places) * 2 * wide;
  const Count layers = 28 * (rows * 8 * wide + 2 * square(rows) * 2048) + 14 * 2 * rows * (language + places) * 2048;
  const Count step = (horizon + (kept ? 0 : 1)) * state + 2 * (256 * 2048 + wide) + layers + (cached ? 0 : keys) +
                     horizon * (wide + 2048 * 128);
  return images * siglip(729) + places * (1152 * 2048 + wide) + language * (4096 * 2048 + wide) + (kept ? state : 0) +
         (cached ? keys : 0) + k.number("steps", 5) * step;
}

Count resnet18(Count high, Count wide) {
  high = half_up(high);
  wide = half_up(wide);
  Count sum = high * wide * 147 * 64, inputs = 64;
  high = half_up(high);
  wide = half_up(wide);
  for (const Count outputs : {64, 128, 256, 512}) {
    if (outputs > 64) high = half_up(high), wide = half_up(wide);
    sum += high * wide * 9 * outputs * (inputs + 3 * outputs);
    if (outputs > 64) sum += high * wide * inputs * outputs;
    inputs = outputs;
  }
  return sum;
}

Count act(const Knobs& k) {
  const Count cameras = k.number("cameras", 4), chunk = k.number("chunk", 100), d = 512 * 512, mlp = 2 * 512 * 3200;
  const Count tokens = 300 * cameras + 2;
  const Count encoder = tokens * (4 * d + mlp) + 2 * square(tokens) * 512;
  const Count each =
      chunk * (4 * d + 2 * d + mlp) + tokens * 2 * d + 2 * square(chunk) * 512 + 2 * chunk * tokens * 512;
  return cameras * resnet18(480, 640) + (32 + 14) * 512 + 300 * cameras * d + k.number("encoder_layers", 4) * encoder +
         k.number("decoder_layers", 1) * each + chunk * 512 * 14;
}

struct Groot {
  Count image_tokens, vision, layers, vl_layers, pairs, future, horizon, state, action;
};
Count groot(const Knobs& k, const Groot& g) {
  const Count cameras = k.number("cameras", 1), horizon = k.number("action_horizon", g.horizon), d = 1536;
  const Count prefix = g.image_tokens * cameras + k.number("text_tokens", 40), tokens = 1 + g.future + horizon;
  const bool cached = k.is("cross_keys", "cached"), computed = !k.is("modulation", "precomputed");
  const Decoder qwen{.width = 2048, .queries = 2048, .values = 1024, .mlp = 6144, .layers = g.layers};
  const Count projected = k.is("logits", "all") ? prefix : (k.is("logits", "last") ? 1 : 0);
  const Count keys = g.pairs * 2 * prefix * 2048 * d, mlp = 2 * d * 4 * d;
  const Count cross = tokens * (2 * d * d + mlp) + 2 * tokens * prefix * d;
  const Count self = tokens * (4 * d * d + mlp) + 2 * square(tokens) * d;
  const Count modulation = computed ? 256 * d + d * d + (2 * g.pairs + 1) * d * 2 * d : 0;
  const Count step = modulation + horizon * (g.action * d + 2 * d * d + d * d) + g.pairs * (cross + self) +
                     (cached ? 0 : keys) + tokens * (d * 1024 + 1024 * 1024 + 1024 * g.action);
  return cameras * g.vision + decoder(qwen, prefix, prefix) + projected * 2048 * 151680 +
         tower({.tokens = prefix, .width = 2048, .layers = g.vl_layers, .mlp = 8192}) + g.state * 1024 + 1024 * d +
         (cached ? keys : 0) + k.number("steps", 4) * step;
}
Count groot_n1_5(const Knobs& k) { return groot(k, {256, siglip(256) + 256 * 1152 * 2048, 12, 4, 8, 32, 16, 64, 32}); }
Count groot_n1_6(const Knobs& k) {
  return groot(k, {64, siglip(256) + 64 * (4608 * 2048 + 2048 * 2048), 16, 0, 16, 0, 50, 128, 128});
}
Count groot_n1_7(const Knobs& k) {
  const Tower eye{.tokens = 256, .width = 1024, .layers = 24, .mlp = 4096, .patches = 256, .each = 1536};
  return groot(k, {64, tower(eye) + Count{4 * 64} * (4096 * 4096 + 4096 * 2048), 16, 4, 16, 0, 40, 132, 132});
}

Count octo_stem(Count side, Count width) {
  return square(side / 2) * 54 * 32 + square(side / 4) * 288 * 96 + square(side / 8) * 864 * 192 +
         square(side / 16) * (1728 * 384 + 384 * 512 + 512 * width);
}
Count octo(const Knobs& k, Count width) {
  const Count window = k.number("window", 2), language = k.number("language_tokens", 16);
  const Count wrist = k.is("wrist_camera", "no") ? 0 : 1, actions = 7 * k.number("action_horizon", 4);
  const Tower t5{.tokens = language, .width = 768, .layers = 12, .mlp = 3072};
  const Count tokens = language + window * (256 + 64 * wrist + language + 1);
  const Count head = 32 * 64 + 64 * 32 + (32 + width + actions) * 256 + 3 * 2 * 256 * 1024 + 256 * actions;
  return (k.is("language", "kept") ? 0 : tower(t5)) + window * (octo_stem(256, width) + wrist * octo_stem(128, width)) +
         language * 768 * width + tower({.tokens = tokens, .width = width, .layers = 12, .mlp = 4 * width}) +
         k.number("steps", 20) * window * head;
}

struct Stage {
  Count inputs, outputs, expand, size, step, blocks;
};
Count efficientnet_b3(Count side) {
  side /= 2;
  Count sum = square(side) * 27 * 40;
  for (const Stage& s :
       {Stage{40, 24, 1, 3, 1, 2}, Stage{24, 32, 6, 3, 2, 3}, Stage{32, 48, 6, 5, 2, 3}, Stage{48, 96, 6, 3, 2, 5},
        Stage{96, 136, 6, 5, 1, 5}, Stage{136, 232, 6, 5, 2, 6}, Stage{232, 384, 6, 3, 1, 2}}) {
    for (Count b = 0; b < s.blocks; ++b) {
      const Count in = b == 0 ? s.inputs : s.outputs, inner = in * s.expand;
      if (s.expand > 1) sum += square(side) * in * inner;
      if (b == 0) side /= s.step;
      sum += square(side) * inner * (s.size * s.size + s.outputs) + 2 * inner * (in / 4) + 2 * 512 * s.outputs;
    }
  }
  return sum + square(side) * 384 * 1536;
}
Count rt1(const Knobs& k) {
  const Count frames = k.number("frames", 6), actions = k.number("action_tokens", 11), tokens = frames * (8 + actions);
  const Count image =
      efficientnet_b3(300) + 81 * 1536 * 512 + 2 * 512 * 512 + 81 * 512 * 64 + 8 * 64 * 81 + 8 * 81 * 512;
  const Count layer = tokens * (4 * 512 * 1024 + 512 * 512) + 2 * square(tokens) * 1024;
  return (k.is("image_tokens", "computed") ? frames : 1) * image +
         (k.is("passes", "single") ? 1 : actions) * (tokens * (512 * 512 + 512 * 256) + 8 * layer);
}

Count two_residual_blocks(Count length, Count in, Count out, Count condition) {
  const Count first = length * 5 * out * (in + out) + condition * 2 * out + (in == out ? 0 : length * in * out);
  return first + length * 5 * out * 2 * out + condition * 2 * out;
}
Count diffusion_policy(const Knobs& k) {
  const Count cameras = k.number("cameras", 2), moments = k.number("observations", 2), t = k.number("horizon", 16);
  const Count condition = 128 + moments * (512 * cameras + 2);
  const auto blocks = [&](Count length, Count in, Count out) {
    return two_residual_blocks(length, in, out, condition);
  };
  const Count down = blocks(t, 2, 512) + t / 2 * 3 * 512 * 512 + blocks(t / 2, 512, 1024) + t / 4 * 3 * 1024 * 1024 +
                     blocks(t / 4, 1024, 2048) + blocks(t / 4, 2048, 2048);
  const Count up =
      blocks(t / 4, 4096, 1024) + t / 4 * 4 * 1024 * 1024 + blocks(t / 2, 2048, 512) + t / 2 * 4 * 512 * 512;
  const Count ends = 2 * 128 * 512 + t * 5 * 512 * 512 + t * 512 * 2;
  return cameras * moments * resnet18(216, 288) + k.number("steps", 16) * (down + up + ends);
}

}  // namespace

std::uint64_t macs_of(const std::string& workload, const Knobs& knobs) {
  static const std::map<std::string, std::function<Count(const Knobs&)>> models = {
      {"pi0", pi0},
      {"pi05", pi05},
      {"pi0_fast", pi0_fast},
      {"openvla", openvla},
      {"openvla_oft_libero",
       [](const Knobs& k) {
         return oft(k, {2, 8, 7, 8, false});
       }},
      {"openvla_oft_aloha",
       [](const Knobs& k) {
         return oft(k, {3, 25, 14, 14, true});
       }},
      {"cogact_base", cogact},
      {"smolvla", smolvla},
      {"rdt_1b", rdt},
      {"act", act},
      {"groot_n1_5", groot_n1_5},
      {"groot_n1_6", groot_n1_6},
      {"groot_n1_7", groot_n1_7},
      {"octo_small", [](const Knobs& k) { return octo(k, 384); }},
      {"octo_base", [](const Knobs& k) { return octo(k, 768); }},
      {"rt1", rt1},
      {"diffusion_policy", diffusion_policy},
  };
  return models.at(workload)(knobs);
}

}  // namespace archsim
