# Finds cuda.h and nvrtc.h, all that a build for CUDA devices needs: both libraries are opened while the program runs,
# so neither nvcc nor a GPU nor libcuda has to be on the machine that builds.
# in: KILN_CUDA   out: KILN_HAS_CUDA (0 or 1), KILN_CUDA_INCLUDE_DIRS

set(KILN_HAS_CUDA 0)
set(KILN_CUDA_INCLUDE_DIRS "")
if(NOT KILN_CUDA MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "KILN_CUDA is '${KILN_CUDA}'; it takes AUTO, ON or OFF")
endif()

if(KILN_CUDA STREQUAL "OFF")
    message(STATUS "kiln: CPU only (KILN_CUDA is OFF)")
else()
    # A toolkit keeps both headers in one folder; the pip wheels have one folder for each.
    set(kiln_cuda_roots $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda /opt/cuda)
    set(kiln_cuda_suffixes include targets/${CMAKE_SYSTEM_PROCESSOR}-linux/include)
    find_path(KILN_CUDA_H_DIR cuda.h HINTS ${kiln_cuda_roots} PATH_SUFFIXES ${kiln_cuda_suffixes})
    find_path(KILN_NVRTC_H_DIR nvrtc.h HINTS ${KILN_CUDA_H_DIR} ${kiln_cuda_roots} PATH_SUFFIXES ${kiln_cuda_suffixes})
    mark_as_advanced(KILN_CUDA_H_DIR KILN_NVRTC_H_DIR)
    if(KILN_CUDA_H_DIR AND KILN_NVRTC_H_DIR)
        set(KILN_HAS_CUDA 1)
        set(KILN_CUDA_INCLUDE_DIRS ${KILN_CUDA_H_DIR} ${KILN_NVRTC_H_DIR})
        list(REMOVE_DUPLICATES KILN_CUDA_INCLUDE_DIRS)
    elseif(KILN_CUDA STREQUAL "ON")
        message(FATAL_ERROR
            "KILN_CUDA is ON, but cuda.h (${KILN_CUDA_H_DIR}) or nvrtc.h (${KILN_NVRTC_H_DIR}) was not found; looked in "
            "${kiln_cuda_roots} and the system's folders. Install the CUDA toolkit, or set KILN_CUDA_H_DIR and "
            "KILN_NVRTC_H_DIR, or build for the CPU alone with -DKILN_CUDA=OFF")
    else()
        message(STATUS "kiln: CPU only (no cuda.h and nvrtc.h found; set CUDA_HOME, or KILN_CUDA=ON for the details)")
    endif()
endif()
