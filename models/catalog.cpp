#include "models/catalog.h"

#include "arch/block/catalog_entry.h"
#include "models/accel/rtl/rtl.h"
#include "models/accel/systolic.h"
#include "models/cpu/cluster.h"
#include "models/dma/dma.h"
#include "models/dram/banked.h"
#include "models/noc/topologies.h"
#include "models/sram/banked.h"

namespace archsim {

const Catalog& catalog() {
  static const Catalog catalog = [] {
    Catalog all;
    all.add(catalog_entry<Cluster>("cpu", "cluster"));
    all.add(catalog_entry<Systolic>("accel", "systolic"));
    all.add(catalog_entry<Rtl>("accel", "rtl"));
    all.add(catalog_entry<BankedSram>("sram", "banked"));
    all.add(catalog_entry<StandAloneDma>("dma", "channels"));
    all.add(catalog_entry<Mesh>("noc", "mesh"));
    all.add(catalog_entry<Torus>("noc", "torus"));
    all.add(catalog_entry<Ring>("noc", "ring"));
    all.add(catalog_entry<Crossbar>("noc", "crossbar"));
    all.add(catalog_entry<Hierarchical>("noc", "hierarchical"));
    all.add(catalog_entry<GraphNetwork>("noc", "graph"));
    all.add(catalog_entry<BankedDram>("dram", "banked"));
    return all;
  }();
  return catalog;
}

}  // namespace archsim
