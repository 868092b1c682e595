package dev.postonce.ingest.storage;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Two pools on one login. Requests run as {@code postonce_ingest_request}, which owns nothing and sees the rows of
 * one tenant; migrations and background work run as the owner. Neither can starve the other.
 */
@Configuration(proxyBeanMethods = false)
public class StorageConfiguration {

    @Bean
    @ConfigurationProperties("spring.datasource.hikari")
    HikariDataSource requestPool(DataSourceProperties properties) {
        return pool(properties);
    }

    /** What everything gets that does not ask for another: whoever forgets to choose sees too little, not too much. */
    @Bean
    @Primary
    TenantDataSource dataSource(@Qualifier("requestPool") HikariDataSource requestPool) {
        return new TenantDataSource(requestPool);
    }

    @Bean
    @ConfigurationProperties("postonce.worker-pool")
    HikariDataSource workerPool(DataSourceProperties properties) {
        return pool(properties);
    }

    private static HikariDataSource pool(DataSourceProperties properties) {
        return properties
                .initializeDataSourceBuilder()
                .type(HikariDataSource.class)
                .build();
    }

    @Bean
    @DependsOnDatabaseInitialization
    WorkerStorage workerStorage(@Qualifier("workerPool") DataSource workerPool) {
        return new WorkerStorage(
                JdbcClient.create(workerPool),
                new JdbcTemplate(workerPool),
                new TransactionTemplate(new JdbcTransactionManager(workerPool)));
    }
}
