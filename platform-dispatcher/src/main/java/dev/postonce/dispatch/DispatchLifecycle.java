package dev.postonce.dispatch;

import dev.postonce.dispatch.intake.TaskConsumer;
import dev.postonce.dispatch.ledger.Dispatcher;
import org.springframework.context.SmartLifecycle;

/** Starts the ledger before the topic is read; stops reading before the ledger. */
final class DispatchLifecycle implements SmartLifecycle {

    private final Dispatcher dispatcher;
    private final TaskConsumer consumer;
    private volatile boolean running;

    DispatchLifecycle(Dispatcher dispatcher, TaskConsumer consumer) {
        this.dispatcher = dispatcher;
        this.consumer = consumer;
    }

    @Override
    public void start() {
        dispatcher.start();
        consumer.start();
        running = true;
    }

    @Override
    public void stop() {
        consumer.stop();
        dispatcher.stop();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
