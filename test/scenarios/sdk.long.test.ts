import { test } from 'node:test';
import { runIntegration } from '../kit/sdk/scenario.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Scenario of an integration with the SDK', (service) => {
  test('A program with only a scoped key does the same with ten thousand people', () =>
    runIntegration(service, 10_000));
});
