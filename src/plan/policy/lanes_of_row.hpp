// kiln/plan/policy/lanes_of_row: what a piece of a row comes to on the host, put together as its elements are made: in lanes side by side
// that are combined in pairs, as plan/host_order.hpp says.
// in: a set of reductions   out: statements of a nest   knows nothing of: how elements are made
#pragma once

#include <plan/host_order.hpp>
#include <plan/nest/builder.hpp>

namespace kiln::plan {

class lanes_of_row {
public:
    /// Lanes in which nothing is yet, of a set whose elements are appended one by one.
    lanes_of_row(nest::builder& to, int set)
        : to_(&to),
          lanes_(to.own("lanes_" + std::to_string(set), nest::types::accumulators(set), host_order::lanes,
                        nest::line_bytes)) {
        each_lane(host_order::lanes, [&](nest::value lane) { to.assign(at(lane), to.identity(set)); });
    }

    void append(nest::value lane, nest::value made) const { to_->assign(at(lane), to_->combine(at(lane), made)); }

    /// Puts what all lanes come to to what the pieces before came to.
    void put_to(nest::value all) const {
        for (int apart = host_order::lanes / 2; apart > 0; apart /= 2)
            each_lane(apart,
                      [&](nest::value lane) { to_->assign(at(lane), to_->combine(at(lane), at(lane + apart))); });
        to_->assign(all, to_->combine(all, at(to_->constant(0))));
    }

private:
    [[nodiscard]] nest::value at(nest::value lane) const { return to_->at(lanes_, lane); }
    template <class Take>
    void each_lane(int count, Take take) const {
        to_->loop(nest::runner::serial, "lane", 0, count, 1, take, /*written_out=*/0);
    }

    nest::builder* to_;
    nest::id lanes_;
};

}  // namespace kiln::plan
