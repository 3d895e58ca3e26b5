import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseMetrics, type Sample, scrapeEveryEngine } from '../kit/service/metrics.ts';
import { promtool, withoutPromtool } from '../kit/service/promtool.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const RULES = 'deploy/prometheus/alerts.yml';
const rules = readFileSync(RULES, 'utf8');
const dashboard = JSON.parse(readFileSync('deploy/grafana/roster.json', 'utf8'));
const panels: readonly Panel[] = dashboard.panels;
const targets = panels.flatMap((panel) => panel.targets ?? []);

/** The expressions of the alert rules, without their texts. */
const alertExpressions = [...rules.matchAll(/^ {8}expr: (\|\n(?: {10}.*\n)+|.*)/gm)].map(
  ([, text]) => text as string,
);
const expressions = [...targets.map(({ expr }) => expr), ...alertExpressions];

const METRIC = /\b(?:roster|process|nodejs)_[a-z0-9_]+/g;
/** Labels that Prometheus adds to every sample. */
const TARGET_LABELS = ['job', 'instance'];

describe('Dashboard and alert rules', () => {
  let samples: Sample[] = [];
  before(async () => {
    samples = (await scrapeEveryEngine()).flatMap(parseMetrics);
  });

  it('Every metric of the dashboard and of the rules occurs in a scrape', () => {
    const known = new Set(samples.map(({ name }) => name));
    const used = new Set(expressions.flatMap((expression) => expression.match(METRIC) ?? []));
    assert.ok(used.size > 30 && alertExpressions.length > 15, `${used.size} ${alertExpressions.length}`);
    assert.deepEqual([...used.difference(known)], []);
  });

  it('Every label of the dashboard and of the rules is one of its metrics', () => {
    for (const expression of expressions) {
      const metrics = new Set(expression.match(METRIC));
      const labels = samples
        .filter(({ name }) => metrics.has(name))
        .flatMap((each) => Object.keys(each.labels));
      const known = new Set([...TARGET_LABELS, ...labels]);
      const used = [
        ...[...expression.matchAll(/[{,]\s*([a-z]+)\s*(?:=|!=|=~|!~)"/g)].map(([, label]) => label as string),
        ...[...expression.matchAll(/\b(?:by|on) \(([^)]+)\)/g)].flatMap(([, list]) =>
          (list as string).split(/, */),
        ),
      ];
      assert.deepEqual(
        used.filter((label) => !known.has(label)),
        [],
        expression,
      );
    }
  });

  it('Every legend of the dashboard names labels of its expression', () => {
    for (const { expr, legendFormat } of targets) {
      const aggregated = /\bby \(([^)]+)\)/.exec(expr)?.[1]?.split(/, */);
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        if (aggregated) assert.ok(aggregated.includes(label), `${legendFormat}: ${expr}`);
    }
  });

  it('The panels of the dashboard have their own ids, do not overlap, and use the chosen data source', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length);
    for (const { type, title, datasource } of panels) {
      assert.ok(title);
      if (type !== 'row') assert.equal(datasource?.uid, '$' + '{datasource}', title);
    }
    const names = dashboard.templating.list.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['datasource', 'job', 'instance']);
  });

  it('Every panel shows only the chosen jobs and instances', () => {
    for (const { expr } of targets) {
      const selectors = expr.match(/\{[^}]*\}/g) ?? [];
      assert.equal(selectors.length, expr.match(METRIC)?.length, expr);
      for (const selector of selectors)
        assert.ok(selector.startsWith('{job=~"$job", instance=~"$instance"'), expr);
    }
  });

  it('Every alert has a severity, a summary, a description and two tests', () => {
    const tests = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8');
    const alerts = rules.split(/^ {6}- alert: /m).slice(1);
    assert.equal(alerts.length, alertExpressions.length);
    for (const alert of alerts) {
      const [name = ''] = alert.split('\n');
      assert.match(alert, /\bseverity: (?:critical|warning)\n/, name);
      assert.match(alert, /\bsummary: .+\n {10}description: .+\n/, name);
      for (const title of [`${name} fires`, `${name} is quiet`])
        assert.ok(tests.includes(`  - name: ${title}\n`), title);
    }
  });
});

describe('Dashboard and alert rules in promtool', { skip: withoutPromtool }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-promtool-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const passes = (...args: string[]) => {
    const { status, output } = promtool(args);
    assert.equal(status, 0, output);
  };

  it('promtool accepts the rules and the example of a configuration', () => {
    passes('check', 'rules', RULES);
    passes('check', 'config', 'deploy/prometheus/prometheus.yml');
  });

  it('The tests of the rules pass', () => passes('test', 'rules', 'deploy/prometheus/alerts.test.yml'));

  it('promtool accepts every expression of the dashboard', () => {
    const recorded = targets.map(({ expr }, at) => ({
      record: `dashboard:${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    // JSON is YAML.
    const file = join(folder, 'dashboard.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    passes('check', 'rules', file);
  });
});
