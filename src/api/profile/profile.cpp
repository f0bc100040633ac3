// k::profile: who records, and whose devices are observed meanwhile.
#include <api/kept_rates.hpp>
#include <api/profile/rates.hpp>
#include <device/devices.hpp>
#include <device/observed/observed_device.hpp>
#include <record/profile.hpp>

#include <kiln/profile.hpp>

#include <cstdio>
#include <map>
#include <memory>
#include <string>

namespace kiln::inline v0_1 {

namespace detail {

const device_rates* rates_of(const std::string& device_name) {
    for (const device& each : devices())
        if (each.name() == device_name) return find_rates(backend::device_at(access::known(each)));
    return nullptr;
}

}  // namespace detail

profile::profile(profile_scope of) : data_(std::make_shared<detail::profile_data>(of)) {
    backend::begin_observation();
    detail::begin_recording(data_);
}

profile::~profile() { stop(); }

void profile::stop() {
    if (detail::end_recording(data_)) backend::end_observation();
}

const std::vector<profile_event>& profile::events() const {
    std::map<std::string, const device_rates*> known;
    return data_->events([&known](profile_event& each) {
        if (each.what != profiled::kernel || each.run_ns <= 0) return;
        const auto [place, is_new] = known.try_emplace(each.device);
        if (is_new) place->second = detail::rates_of(each.device);
        if (place->second)
            each.predicted = place->second->predict(each.work, each.element_count, each.bytes_read, each.bytes_written);
    });
}

void profile::print() const { std::fputs((table() + "\n" + summary()).c_str(), stdout); }

}  // namespace kiln::inline v0_1
