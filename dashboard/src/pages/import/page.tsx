import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Failure } from '../../api/failure.ts';
import { reading } from '../../api/query.ts';
import type { ImportBeginning } from '../../api/types.gen.ts';
import { Page } from '../../ui/page.tsx';
import type { Choices, Rules } from './choices.ts';
import { DropZone } from './choose.tsx';
import { FormerImports } from './list.tsx';
import { Prepare } from './prepare.tsx';
import { lookAt } from './upload.ts';

const route = getRouteApi('/app/import');

const namesOf = (beginning: ImportBeginning | undefined): string =>
  JSON.stringify(beginning?.columns.map(({ name }) => name));

const noChoices: Choices = {};
const firstRules: Omit<Rules, 'country'> = { on_existing: 'fill', tags: 'merge', legacy: false };

/** The way from a file to its plan, and the imports of before. */
export const ImportPage = () => {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const settings = useQuery(reading('/settings')).data?.data;
  const [file, setFile] = useState<File>();
  const [beginning, setBeginning] = useState<ImportBeginning>();
  const [seen, setSeen] = useState('');
  const [choices, setChoices] = useState(noChoices);
  const [rules, setRules] = useState<Partial<Rules>>(firstRules);

  const look = useMutation({
    mutationFn: (chosen: readonly File[]) => {
      const [only, ...more] = chosen;
      if (only && more.length === 0) return lookAt(only);
      throw new Failure('VALIDATION_ERROR', 'One file is imported at a time. Drop a single one.');
    },
    onError: () => setBeginning(undefined),
    onSuccess: (found, [chosen]) => {
      // A file that was corrected has the columns of before, and what was chosen for them still holds.
      if (namesOf(found) !== seen) setChoices(noChoices);
      setSeen(namesOf(found));
      setFile(chosen);
      setBeginning(found);
    },
  });
  return (
    <Page
      title="Import"
      description="Bring contacts from a CSV file: plan, look, apply. For 30 days it can be undone."
    >
      {file && beginning ? (
        <Prepare
          file={file}
          beginning={beginning}
          draft={{
            choices,
            rules: { ...firstRules, country: settings?.default_country ?? '', ...rules },
          }}
          noCountry={settings?.default_country === null ? 'No country' : undefined}
          onDraft={(change) => {
            if (change.choices) setChoices(change.choices);
            if (change.rules) setRules(change.rules);
          }}
          onFiles={look.mutate}
          onBack={() => {
            setBeginning(undefined);
            setChoices(noChoices);
          }}
        />
      ) : (
        <>
          <DropZone
            name={look.variables?.[0]?.name}
            error={look.error}
            busy={look.isPending}
            onFiles={look.mutate}
          />
          <FormerImports
            page={page}
            onPage={(next) => void navigate({ search: { page: next > 1 ? next : undefined } })}
          />
        </>
      )}
    </Page>
  );
};
