import { search } from '@codemirror/search';
import { useMemo } from 'react';
import { useVariables } from '../variables.ts';
import { baseExtensions, phrases } from './codemirror.ts';
import { knownVariables } from './completion.ts';
import { ReadOnlyText } from './read-only-text.tsx';

/** A read-only view of a version's instructions. */
const VersionText = ({
  agent,
  label,
  text,
}: {
  readonly agent: string;
  readonly label: string;
  readonly text: string;
}) => {
  const variables = useVariables(agent);
  const extensions = useMemo(
    () => [knownVariables.of(variables), baseExtensions, phrases, search({ top: true })],
    [variables],
  );
  return <ReadOnlyText label={label} text={text} extensions={extensions} />;
};

export default VersionText;
