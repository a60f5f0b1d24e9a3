import { useSignal } from '@preact/signals';
import { read, yamlOf } from '../../../editor/yaml.js';
import { TextArea } from '../../../ui/field.js';
import type { Value } from './settings.js';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly error: string | undefined;
  readonly stored: Value;
  /** Gets the object, or the text while it is no YAML. The server refuses that, too. */
  readonly onValue: (value: Value) => void;
}

/** A setting that is an object, in YAML. */
export function ObjectField({ label, hint, error, stored, onValue }: Props) {
  const text = useSignal(typeof stored === 'object' ? yamlOf(stored) : stored === false ? '' : String(stored));
  const problem = useSignal('');
  const change = (typed: string): void => {
    text.value = typed;
    const { value, problems } = read(typed);
    problem.value = problems?.[0]?.message ?? '';
    onValue(value ?? typed);
  };
  return (
    <TextArea
      label={label}
      hint={`${hint} It is YAML.`}
      error={problem.value === '' ? error : `It is no YAML: ${problem.value}`}
      value={text.value}
      rows={14}
      onValue={change}
    />
  );
}
