import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { apiQuery } from '../../../api/query.ts';
import type { ImportBeginning } from '../../../api/types.gen.ts';
import { Page } from '../../../ui/page.tsx';
import type { Choices, FormatChoice, Rules } from '../mapping.ts';
import { DropZone } from './file-picker.tsx';
import { ImportHistory } from './history.tsx';
import { Prepare } from './prepare.tsx';
import { detectFormat } from './upload.ts';

const route = getRouteApi('/app/import');

const namesOf = (beginning: ImportBeginning | undefined): string =>
  JSON.stringify(beginning?.columns.map(({ name }) => name));

const noChoices: Choices = {};
const firstRules: Omit<Rules, 'country'> = {
  on_existing: 'fill',
  tags: 'merge',
  on_invalid: 'omit_field',
  legacy: false,
};

interface Detection {
  readonly files: readonly File[];
  readonly format: FormatChoice;
}

/** Uploads a file for a preview, and lists previous imports. */
export const ImportsPage = () => {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const settings = useQuery(apiQuery('/settings')).data?.data;
  const [file, setFile] = useState<File>();
  const [beginning, setBeginning] = useState<ImportBeginning>();
  const [lastColumns, setLastColumns] = useState('');
  const [format, setFormat] = useState<FormatChoice>({});
  const [choices, setChoices] = useState(noChoices);
  const [rules, setRules] = useState<Partial<Rules>>(firstRules);

  const detect = useMutation({
    mutationFn: ({ files, format }: Detection) => {
      const [only, ...more] = files;
      if (only && more.length === 0) return detectFormat(only, format);
      throw new ApiError('VALIDATION_ERROR', 'Import one file at a time.');
    },
    onError: () => setBeginning(undefined),
    onSuccess: (found, { files: [chosen], format: chosenFormat }) => {
      // A corrected file has the same columns, so the mapping still applies.
      if (namesOf(found) !== lastColumns) setChoices(noChoices);
      setLastColumns(namesOf(found));
      setFile(chosen);
      setFormat(chosenFormat);
      setBeginning(found);
    },
  });
  const onFiles = (files: readonly File[]) => detect.mutate({ files, format: {} });
  return (
    <Page
      title="Imports"
      description="Import contacts from a CSV or Excel file. Preview, then apply. You can undo for 30 days."
    >
      {file && beginning ? (
        <Prepare
          file={file}
          beginning={beginning}
          draft={{
            choices,
            rules: { ...firstRules, country: settings?.default_country ?? '', ...rules },
          }}
          noCountryLabel={settings?.default_country === null ? 'No country' : undefined}
          onDraft={(change) => {
            if (change.choices) setChoices(change.choices);
            if (change.rules) setRules(change.rules);
          }}
          format={format}
          isDetecting={detect.isPending}
          onFormat={(next) => detect.mutate({ files: [file], format: next })}
          onFiles={onFiles}
          onBack={() => {
            setBeginning(undefined);
            setChoices(noChoices);
          }}
        />
      ) : (
        <>
          <DropZone
            name={detect.variables?.files[0]?.name}
            error={detect.error}
            busy={detect.isPending}
            onFiles={onFiles}
          />
          <ImportHistory
            page={page}
            onPage={(next) => void navigate({ search: { page: next > 1 ? next : undefined } })}
          />
        </>
      )}
    </Page>
  );
};
