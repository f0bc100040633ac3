// k::profile: who records, and whose devices are observed meanwhile.
#include <device/observed/observed_device.hpp>
#include <record/profile.hpp>

#include <kiln/profile.hpp>

#include <cstdio>
#include <memory>

namespace kiln::inline v0_1 {

profile::profile(profile_scope of) : data_(std::make_shared<detail::profile_data>(of)) {
    backend::begin_observation();
    detail::begin_recording(data_);
}

profile::~profile() { stop(); }

void profile::stop() {
    if (detail::end_recording(data_)) backend::end_observation();
}

const std::vector<profile_event>& profile::events() const { return data_->events(); }

void profile::print() const { std::fputs((table() + "\n" + summary()).c_str(), stdout); }

}  // namespace kiln::inline v0_1
