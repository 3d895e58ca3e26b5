import { Download } from 'lucide-react';
import { apiUrl } from '../../../api/client.ts';
import { downloadFrom } from '../../../app/bulk-jobs/start.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { filterQuery, isFiltered } from './query.ts';
import type { ContactFilters } from './url-params.ts';

const download = (format: 'csv' | 'jsonl', filter: ContactFilters): void =>
  downloadFrom(apiUrl('/contacts/export', {}, { format, include: 'fields', ...filterQuery(filter) }));

export const ExportMenu = ({ filter }: { readonly filter: ContactFilters }) => (
  <Menu
    trigger={
      <Button className="max-sm:[&_svg]:hidden">
        <Download aria-hidden />
        {t('Export')}
      </Button>
    }
    items={[
      ...(isFiltered(filter)
        ? [
            { label: t('Matching contacts (CSV)'), onSelect: () => download('csv', filter) },
            { label: t('Matching contacts (JSON Lines)'), onSelect: () => download('jsonl', filter) },
            null,
          ]
        : []),
      { label: t('All contacts (CSV)'), onSelect: () => download('csv', {}) },
      { label: t('All contacts (JSON Lines)'), onSelect: () => download('jsonl', {}) },
    ]}
  />
);
