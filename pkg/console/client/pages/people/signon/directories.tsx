import { useSignal } from '@preact/signals';
import { ApiError } from '../../../lib/api.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../list.js';
import { DirectoryFields } from './directory.js';
import { type Directory, directoriesIn, errorsIn } from './directory-settings.js';
import { ObjectField } from './object-field.js';
import type { Field, Value } from './settings.js';

interface Props {
  readonly fields: ReadonlyMap<string, Field>;
  readonly stored: Value;
  readonly value: Value;
  /** What the server said of the whole setting. */
  readonly error: string | undefined;
  readonly problem: unknown;
  readonly disabled: boolean;
  readonly onValue: (value: Value) => void;
}

/** The directories of LDAP, in a form or in YAML. */
export function Directories({ fields, stored, value, error, problem, disabled, onValue }: Props) {
  const isYaml = useSignal(false);
  const directories = directoriesIn(value);
  const errors = errorsIn(problem instanceof ApiError ? problem.causes : []);
  const rest = error !== undefined && errors.size === 0 ? error : undefined;
  const change = (servers: readonly Directory[]): void => onValue({ servers });
  return (
    <Card
      title="Directories"
      action={
        <Button
          look="quiet"
          unavailable={isYaml.value && directories === undefined ? 'The YAML is no list of servers.' : undefined}
          onPress={() => {
            isYaml.value = !isYaml.value;
          }}
        >
          {isYaml.value ? 'Edit as a form' : 'Edit as YAML'}
        </Button>
      }
    >
      {isYaml.value || directories === undefined ? (
        <ObjectField
          key={JSON.stringify(stored)}
          label="Config"
          hint={fields.get('config')?.description ?? ''}
          error={error}
          stored={value}
          onValue={onValue}
        />
      ) : (
        <>
          <p class="muted">All are asked, in this order. Several hosts of one are copies of each other.</p>
          {directories.map((directory, index) => (
            <DirectoryFields
              // What is typed belongs to the place, so the fields begin again when one goes.
              key={`${index} of ${directories.length}`}
              number={index + 1}
              directory={directory}
              hintOf={(key) => fields.get(`config.${key}`)?.description}
              errorAt={(key) => errors.get(`servers[${index}].${key}`)}
              disabled={disabled}
              onChange={(changed) => change(directories.map((one, at) => (at === index ? changed : one)))}
              onRemove={() => change(directories.filter((_, at) => at !== index))}
            />
          ))}
          {(rest ?? errors.get('servers')) !== undefined && (
            <p class="field-error" role="alert">
              {rest ?? errors.get('servers')}
            </p>
          )}
          <div>
            <Button disabled={disabled} onPress={() => change([...directories, {}])}>
              Add a directory
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}
