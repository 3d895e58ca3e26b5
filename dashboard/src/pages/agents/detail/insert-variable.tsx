import { Braces } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useVariables, type Variable } from '../variables.ts';

const kinds: readonly Variable['kind'][] = ['contact', 'field', 'agent'];

/** Inserts a variable into the instructions, and opens the agent's own variables. */
const InsertVariable = ({
  agent,
  onInsert,
  onManage,
}: {
  readonly agent: string;
  readonly onInsert: (text: string) => void;
  readonly onManage: () => void;
}) => {
  const offered = useVariables(agent)?.offered ?? [];
  const hasChosen = useRef(false);
  const choose = (run: () => void) => () => {
    hasChosen.current = true;
    run();
  };
  const itemOf = ({ name, label }: Variable) => ({
    label: (
      <span className="flex items-baseline justify-between gap-6">
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {label}
        </span>
        <code className="font-mono text-xs text-muted">{`{{${name}}}`}</code>
      </span>
    ),
    onSelect: choose(() => onInsert(`{{${name}}}`)),
  });
  const groups = kinds.map((kind) => offered.filter((each) => each.kind === kind).map(itemOf));
  return (
    <Menu
      trigger={
        <Button size="small">
          <Braces aria-hidden />
          {t('Insert variable')}
        </Button>
      }
      items={[
        ...groups.flatMap((items) => (items.length > 0 ? [...items, null] : [])),
        { label: t('Variables of this agent…'), onSelect: choose(onManage) },
      ]}
      onCloseAutoFocus={(event) => {
        // The focus stays in the editor, behind the variable, or in the dialog.
        if (hasChosen.current) event.preventDefault();
        hasChosen.current = false;
      }}
    />
  );
};

export default InsertVariable;
