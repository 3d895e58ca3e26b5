import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { Operations } from './types.gen.ts';

type ListPath = '/agents' | '/campaigns' | '/channels' | '/imports' | '/segments';

const PAGE_SIZE = 100;
const MAX_RECORDS = 2_000;

type RecordOf<P extends ListPath> = Operations[`GET ${P}`]['answer']['data'][number];

interface ListPage<P extends ListPath> {
  readonly data: readonly RecordOf<P>[];
  readonly pagination: { readonly total: number };
}
type ListOperation<P extends ListPath> = (method: 'GET', path: P, options: object) => Promise<ListPage<P>>;

/** Options for `useQuery` with all records of a list, up to 2,000 and in their order. For selects and filters, which offer all of
 *  them. */
export const allRecordsQuery = <P extends ListPath>(path: P) =>
  queryOptions<{ readonly data: readonly RecordOf<P>[] }>({
    queryKey: [path, null, 'all'],
    queryFn: async ({ signal }) => {
      const data: RecordOf<P>[] = [];
      for (let total = 1; data.length < Math.min(total, MAX_RECORDS); ) {
        const query = { limit: PAGE_SIZE, offset: data.length };
        const page = await (call as unknown as ListOperation<P>)('GET', path, { query, signal });
        if (page.data.length === 0) break;
        data.push(...page.data);
        ({ total } = page.pagination);
      }
      return { data };
    },
  });
