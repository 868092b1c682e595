package dev.postonce.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpoolTest {

    @Test
    void what_goes_in_comes_out_in_order_from_memory_and_from_the_file() throws IOException {
        long seed = 99;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Spool spool = new Spool(1_000)) {
            for (int step = 0; step < 5_000; step++) {
                // Phases in which more comes than goes, and the other way round.
                boolean adds = random.nextInt(10) < (step / 500 % 2 == 0 ? 8 : 2);
                if (adds) {
                    byte[] answer = new byte[1 + random.nextInt(300)];
                    random.nextBytes(answer);
                    in.writeBytes(answer);
                    spool.add(answer);
                } else {
                    drainOne(spool, out);
                }
            }
            assertThat(spool.usesFile()).isTrue();
            while (drainOne(spool, out)) {}
        }
        assertThat(out.toByteArray()).isEqualTo(in.toByteArray());
    }

    @Test
    void a_reader_that_keeps_up_needs_no_file() throws IOException {
        try (Spool spool = new Spool(1_000)) {
            for (int i = 0; i < 100; i++) {
                spool.add(new byte[900]);
                assertThat(spool.poll()).hasSize(900);
            }
            assertThat(spool.usesFile()).isFalse();
            assertThat(spool.poll()).isNull();
        }
    }

    private static boolean drainOne(Spool spool, ByteArrayOutputStream out) throws IOException {
        byte[] piece = spool.poll();
        if (piece != null) {
            out.writeBytes(piece);
        }
        return piece != null;
    }
}
