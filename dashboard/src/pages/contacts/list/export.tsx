import { Download } from 'lucide-react';
import { apiUrl } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { Filter } from './selection.ts';

/** Downloads by a link with the `download` attribute, so that an error response does not replace the page. */
const download = (query: Record<string, string | undefined>): void => {
  const link = document.createElement('a');
  link.href = apiUrl('/contacts/export', {}, query);
  link.download = '';
  link.click();
};

export const exportCsv = ({ search, tag, company }: Filter, except: ReadonlySet<string> = new Set()): void =>
  download({ format: 'csv', search, tag, company, except: [...except].join(',') });

export const ExportMenu = ({ filter }: { readonly filter: Filter }) => {
  const { search, tag, company } = filter;
  const isFiltered = search || tag || company;
  const what = tag && !search && !company ? `Tagged ${tag}` : 'Search results';
  return (
    <Menu
      trigger={
        <Button className="max-sm:[&_svg]:hidden">
          <Download aria-hidden />
          Export
        </Button>
      }
      items={[
        ...(isFiltered
          ? [
              { label: `${what} (CSV)`, onSelect: () => exportCsv(filter) },
              {
                label: `${what} (JSON Lines)`,
                onSelect: () => download({ format: 'jsonl', search, tag, company }),
              },
              null,
            ]
          : []),
        { label: 'All contacts (CSV)', onSelect: () => exportCsv({}) },
        { label: 'All contacts (JSON Lines)', onSelect: () => download({ format: 'jsonl' }) },
      ]}
    />
  );
};
