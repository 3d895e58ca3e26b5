import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { ImportOptions } from '../../../api/types.gen.ts';
import type { NewField } from '../mapping.ts';
import { updateCachedImport } from '../use-import.ts';

/** Rules, columns and the header row that change. */
export type PlanChange = Partial<ImportOptions> & {
  readonly mapping?: Record<string, string | null>;
  readonly create_fields?: Record<string, NewField>;
  readonly header_row?: number;
};

/** Plans an import again. */
export const useReplan = (id: string, onPlanned: () => void) =>
  useMutation({
    mutationFn: (body: PlanChange) => call('PATCH', '/imports/{id}', { params: { id }, body }),
    onSuccess: (answer) => {
      updateCachedImport(id, answer.data);
      void invalidate('/imports');
      onPlanned();
    },
  });
