package dev.postonce.ingest.callback;

import org.springframework.context.annotation.Configuration;

/** The objects that follow the targets' states and tell the upstreams. */
@Configuration(proxyBeanMethods = false)
public class CallbackConfiguration {}
