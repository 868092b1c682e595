package dev.postonce.ingest.openapi;

import dev.postonce.ingest.IngestSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The objects of the interface's description. */
@Configuration(proxyBeanMethods = false)
public class ApiConfiguration {

    /** The mapping is asked for with the first request: it is made of the controllers, this one among them. */
    @Bean
    ApiController apiController(
            @Qualifier("requestMappingHandlerMapping") ObjectProvider<RequestMappingHandlerMapping> mapping,
            IngestSettings settings) {
        return new ApiController(() -> mapping.getObject().getHandlerMethods(), settings.keyRetention());
    }
}
