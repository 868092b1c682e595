package dev.postonce.systemtests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/** The arrows between the modules, and the calls that only a few places may make. */
@AnalyzeClasses(packages = "dev.postonce", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String[] SERVICES = {
        "dev.postonce.ingest..", "dev.postonce.relay..", "dev.postonce.index..", "dev.postonce.dispatch.."
    };

    @ArchTest
    static final ArchRule ingest_service_imports_no_other_service = importsNoOther("dev.postonce.ingest..");

    @ArchTest
    static final ArchRule outbox_relay_imports_no_other_service = importsNoOther("dev.postonce.relay..");

    @ArchTest
    static final ArchRule index_consumer_imports_no_other_service = importsNoOther("dev.postonce.index..");

    @ArchTest
    static final ArchRule platform_dispatcher_imports_no_other_service = importsNoOther("dev.postonce.dispatch..");

    @ArchTest
    static final ArchRule the_event_contract_imports_nothing_of_ours_and_no_frame = classes()
            .that()
            .resideInAPackage("dev.postonce.contract..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "javax.crypto..",
                    "dev.postonce.contract..",
                    "org.jspecify..",
                    "tools.jackson..",
                    "com.fasterxml.jackson.annotation..",
                    "org.erdtman.jcs..");

    @ArchTest
    static final ArchRule the_checkers_need_only_the_contract = classes()
            .that()
            .resideInAPackage("dev.postonce.invariants..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "dev.postonce.contract..", "dev.postonce.invariants..", "org.jspecify..");

    @ArchTest
    static final ArchRule libraries_import_no_service = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.postonce.contract..",
                    "dev.postonce.messaging..",
                    "dev.postonce.runtime..",
                    "dev.postonce.invariants..",
                    "dev.postonce.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVICES)
            .orShould()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.postonce.standalone..", "dev.postonce.sandbox..");

    @ArchTest
    static final ArchRule outgoing_http_of_services_goes_through_the_guarded_client = noClasses()
            .that()
            .resideInAnyPackage(SERVICES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.net.http..", "org.apache.hc..", "org.springframework.web.client..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.net.HttpURLConnection");

    @ArchTest
    static final ArchRule sql_stands_in_jdbc_classes_only = noClasses()
            .that()
            .resideInAnyPackage(SERVICES)
            .and()
            .haveSimpleNameNotStartingWith("Jdbc")
            .and()
            .haveSimpleNameNotEndingWith("Configuration")
            .and()
            .resideOutsideOfPackage("dev.postonce.ingest.storage") // what Jdbc classes are built on
            .and()
            .areTopLevelClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("org\\.springframework\\.jdbc\\.core\\..*");

    @ArchTest
    static final ArchRule time_ids_and_randomness_come_through_ports = noClasses()
            .that()
            .resideInAnyPackage(SERVICES)
            .and()
            .haveSimpleNameNotEndingWith("Configuration")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callConstructor(Random.class);

    @ArchTest
    static final ArchRule no_field_is_injected = noFields()
            .should()
            .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
            .orShould()
            .beAnnotatedWith("org.springframework.beans.factory.annotation.Value");

    @ArchTest
    static final ArchRule transactions_are_seen_where_they_begin = noClasses()
            .should()
            .beAnnotatedWith("org.springframework.transaction.annotation.Transactional")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.springframework.transaction.annotation.Transactional");

    private static ArchRule importsNoOther(String service) {
        String[] others = java.util.Arrays.stream(SERVICES)
                .filter(other -> !other.equals(service))
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(service)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.postonce.standalone..", "dev.postonce.sandbox..");
    }
}
