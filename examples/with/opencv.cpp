// An OpenCV image, part of a larger one, made gray by kiln, into another OpenCV image.
#include <kiln/kiln.hpp>

#include <opencv2/core.hpp>

namespace k = kiln;

int main() {
    const cv::Mat photo(480, 640, CV_8UC3, cv::Scalar(10, 20, 60));
    const cv::Mat part = photo(cv::Rect(100, 50, 200, 100));  // rows with gaps between them
    cv::Mat gray(part.rows, part.cols, CV_32F);
    k::wrap<float>(gray) = k::mean(k::cast<float>(k::wrap<std::uint8_t>(part)), k::axis(2));
    k::synchronize();
    return cv::norm(gray, cv::Mat(part.size(), CV_32F, cv::Scalar(30)), cv::NORM_INF) == 0 ? 0 : 1;
}
