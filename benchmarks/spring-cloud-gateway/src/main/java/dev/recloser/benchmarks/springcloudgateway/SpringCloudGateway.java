package dev.recloser.benchmarks.springcloudgateway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Spring Cloud Gateway as its starters set it up; all else is in the configuration that the benchmarks write. */
@SpringBootApplication
public class SpringCloudGateway {

    /**
     * Runs it.
     *
     * @param args properties, such as where the configuration is
     */
    public static void main(String[] args) {
        SpringApplication.run(SpringCloudGateway.class, args);
    }
}
