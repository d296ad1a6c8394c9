#!/bin/bash
# tests/bench/program.sh ARCHSIM: how fast the program itself is, in seconds of CPU time; of scripts/bench. Prints the machine, pi0 at each
# fidelity, equal work beside figures that were measured of other simulators, two processes at once, cost by size of the machine, and
# counts of instructions, which do not depend on who else computes: a gate can hold them. Exit 1 if a ratio misses its target.
set -eu
cd "$(dirname "$0")/../.."
archsim=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

cpu() { # of a command, user and system
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>"$folder/err"; } 2>&1 | awk '{ print $1 + $2 }'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / (b > 0 ? b : 0.001) }'; }
check() { # WHAT VALUE MOST
  if awk -v a="$2" -v b="$3" 'BEGIN { exit !(a <= b) }'; then echo "ok   $1"; else echo "MISS $1"; status=1; fi
}
run() { "$archsim" run --quiet --json "$folder/run.json" "$@"; }

echo "machine: $(nproc) processors, $(awk -F': ' '/model name/ { print $2; exit }' /proc/cpuinfo), Linux $(uname -r)"
"$archsim" trace build traces/workloads/pi0.yaml -o "$folder/pi0.trace" --set dtype=int8 >/dev/null
"$archsim" trace build traces/workloads/tiny.yaml -o "$folder/tiny.trace" >/dev/null
"$archsim" trace build tests/bench/gemm.yaml -o "$folder/gemm.trace" >/dev/null
for soc in edge_lpddr5 humanoid_hbm3; do
  config=configs/soc/$soc.yaml
  full=$(cpu run --config $config --trace "$folder/pi0.trace")
  sampled=$(cpu run --config $config --trace "$folder/pi0.trace" --fidelity sampled)
  roofline=$(cpu run --config $config --trace "$folder/pi0.trace" --fidelity roofline)
  echo "pi0 int8 on $soc: full $full s, sampled $sampled s (1/$(ratio "$full" "$sampled")), roofline $roofline s, each with start-up and run.json"
  check "sampled is a half of full at most" "$(ratio "$sampled" "$full")" 0.5
done

# ONNXim: one Gemma layer's product, 128x128 weight-stationary, 614 GB/s, measured at 45.5 CPU-seconds.
gemm=$(cpu run --config configs/soc/humanoid_hbm3.yaml --trace "$folder/gemm.trace" --set npu.count=1 --set 'placement.npu=[[0, 0]]')
echo "816x16384x2048 on one 128x128 array: $gemm s, ONNXim 45.5 s: $(ratio 45.5 "$gemm") times as fast"
check "faster than ONNXim" "$gemm" 45.5
# DRAMSys: saturated LPDDR4 stream, measured at 0.5 M requests a second.
dram=$(cpu "$archsim" probe dram --memory lpddr4-3200 --pattern seq --access r --load sat --requests 1000000)
echo "a saturated lpddr4 stream: $(ratio 1 "$dram") M requests a second, DRAMSys 0.5 M: $(ratio 2 "$dram") times as fast"
check "faster than DRAMSys" "$dram" 2

wall() { awk -v a="$1" -v b="$(date +%s.%N)" 'BEGIN { print b - a }'; }
began=$(date +%s.%N); "$archsim" run --quiet --config configs/soc/edge_lpddr5.yaml --trace "$folder/pi0.trace"; one=$(wall "$began")
began=$(date +%s.%N)
for _ in 1 2; do "$archsim" run --quiet --config configs/soc/edge_lpddr5.yaml --trace "$folder/pi0.trace" & done
wait
two=$(wall "$began")
echo "two processes at once do $(ratio "$one" "$two") of twice the work of one (wall time; 0.95 if nobody else computes)"

many=(--set npu.count=16 --set noc.columns=6 --set noc.rows=6 --set dram.channels=16 --set 'placement={}')
sixteen=$(cpu run --config configs/soc/edge_lpddr5.yaml --trace "$folder/pi0.trace" "${many[@]}")
four=$(cpu run --config configs/soc/edge_lpddr5.yaml --trace "$folder/pi0.trace")
echo "pi0 on 16 accelerators, 6x6 mesh, 16 channels: $sixteen s, on 4: $four s, $(ratio "$sixteen" "$four") times"
check "under 3 times" "$(ratio "$sixteen" "$four")" 3

if command -v valgrind >/dev/null; then
  for fidelity in full sampled roofline; do
    count=$(valgrind --tool=callgrind --callgrind-out-file="$folder/callgrind" "$archsim" run --quiet --fidelity $fidelity \
      --config configs/soc/edge_lpddr5.yaml --trace "$folder/tiny.trace" 2>&1 | awk '/Collected/ { print $4 }')
    echo "instructions of tiny on edge_lpddr5, $fidelity: $count"
  done
else
  echo "valgrind is not there: no instructions are counted"
fi
exit $status
