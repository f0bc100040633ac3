// kiln_sent_to_next_block
// ... shared/types.cu: u32, u64
// ... shared/helpers.cu: wait_for_earlier_kernels, of_block, cluster_barrier, init_mbarrier, arrive, wait_mbarrier, store_async
// ... shared/heads.cu: kiln_sent_to_next_block

    __shared__ int box[128];
    __shared__ unsigned long long full[1];
    // ... as in cluster_reads
    const int next = (block + 1) % 4;
    if (thread == 0) {
        init_mbarrier(full, 1);
    }
    cluster_barrier();
    int sent = x0[i];
    #pragma unroll 1
    for (int turn = 0; turn < 2; ++turn) {
        if (thread == 0) {
            arrive(full, 512);
        }
        store_async(of_block(box + thread, next), sent, of_block(full, next));
        wait_mbarrier(full, turn);
        sent = box[thread];
        cluster_barrier();
    }
    y0[i] = sent;
}
