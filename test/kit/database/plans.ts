import { type Client, escapeLiteral } from 'pg';
import { postgresCompiler } from '../../../src/db/postgres/dialect.ts';
import type { Statement, Value } from '../../../src/db/statement.ts';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** The nodes of the generic and of the custom plan of a statement on PostgreSQL, each with its text for messages. A statement without
 *  `planOnce` has no generic plan: it is sent without a name, so the server plans each execution for its arguments. */
export const explainPostgres = async (
  client: Client,
  statement: Statement<never, unknown>,
  values: Readonly<Record<string, Value>>,
): Promise<{ readonly nodes: PlanNode[]; readonly text: string }[]> => {
  const { sql, order, planOnce } = statement.textFor(postgresCompiler);
  const literals = order.map((name) => {
    const value = values[name];
    return typeof value === 'string' ? escapeLiteral(value) : String(value ?? 'null');
  });
  const plans: { nodes: PlanNode[]; text: string }[] = [];
  for (const mode of planOnce ? ['generic', 'custom'] : ['custom']) {
    await client.query(`set plan_cache_mode = force_${mode}_plan; prepare asked as ${sql}`);
    const { rows } = await client.query(`explain (format json) execute asked (${literals.join()})`);
    await client.query('deallocate asked');
    const [{ Plan: root }] = rows[0]['QUERY PLAN'];
    plans.push({ nodes: flatten(root), text: `${mode}: ${JSON.stringify(root, null, 1)}` });
  }
  return plans;
};
