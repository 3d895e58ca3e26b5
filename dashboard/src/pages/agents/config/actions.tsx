import { AlignLeft, FileBraces } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfigSchemaDialog } from '../lazy-dialogs.tsx';
import { formatted } from './format.ts';
import { configState } from './size.tsx';

/** Buttons above the editor of a configuration. */
export const ConfigActions = ({
  agent,
  config,
  onChange,
}: {
  /** The id of the agent. */
  readonly agent: string;
  readonly config: string;
  readonly onChange: (config: string) => void;
}) => {
  const [isEditingSchema, setEditingSchema] = useState(false);
  return (
    <>
      <Button
        size="small"
        disabled={!configState(config).isObject}
        onClick={() => onChange(formatted(config))}
      >
        <AlignLeft aria-hidden />
        {t('Format')}
      </Button>
      <Button size="small" onClick={() => setEditingSchema(true)}>
        <FileBraces aria-hidden />
        {t('Schema')}
      </Button>
      {isEditingSchema && <ConfigSchemaDialog agent={agent} onClose={() => setEditingSchema(false)} />}
    </>
  );
};
