// nothing published
// ... shared/helpers.cu: wait_for_earlier_kernels
// ... shared/heads.cu: kiln_scan_clear

    // ... as in wide_index
    const long long i = block * 256 + thread;
    if (i < count) to[i] = 0;
}
