import { Button } from '../../../ui/button.js';
import { CheckField, SelectField, TextField } from '../../../ui/field.js';
import { type DirectoryProps, type Mapping, withValue } from './directory-settings.js';

const ROLES = [
  ['', 'No role'],
  ['None', 'None'],
  ['Viewer', 'Viewer'],
  ['Editor', 'Editor'],
  ['Admin', 'Admin'],
] as const;

/** Which groups of a directory give which rights. */
export function Mappings({ directory, errorAt, disabled, onChange }: DirectoryProps) {
  const mappings = directory.group_mappings ?? [];
  const put = (all: readonly Mapping[]): void =>
    onChange(withValue(directory, 'group_mappings', all.length > 0 ? all : undefined));
  const change = (index: number, part: Mapping): void =>
    put(mappings.map((one, at) => (at === index ? withoutEmpty({ ...one, ...part }) : one)));
  return (
    <fieldset class="people-fields stack tight">
      <legend>Roles by groups</legend>
      <p class="hint">
        With some, only people in one of these groups sign in. In each organization, the first that fits counts.
      </p>
      {mappings.map((mapping, index) => (
        <OneMapping
          key={index}
          number={index + 1}
          mapping={mapping}
          error={errorAt(`group_mappings[${index}]`)}
          errorAt={(key) => errorAt(`group_mappings[${index}].${key}`)}
          disabled={disabled}
          onChange={(part) => change(index, part)}
          onRemove={() => put(mappings.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <Button disabled={disabled} onPress={() => put([...mappings, { group_dn: '', org_role: 'Viewer' }])}>
          Add a group
        </Button>
      </div>
    </fieldset>
  );
}

function withoutEmpty({ org_id: id, ...mapping }: Mapping): Mapping {
  return id === undefined || id === '' ? mapping : { ...mapping, org_id: id };
}

interface RowProps {
  readonly number: number;
  readonly mapping: Mapping;
  readonly error: string | undefined;
  readonly errorAt: (key: string) => string | undefined;
  readonly disabled: boolean;
  readonly onChange: (part: Mapping) => void;
  readonly onRemove: () => void;
}

function OneMapping({ number, mapping, error, errorAt, disabled, onChange, onRemove }: RowProps) {
  const { group_dn: group = '', org_role: role = '', org_id: id = '', grafana_admin: isAdministrator } = mapping;
  return (
    <div class="people-mapping">
      <TextField
        label={`Group ${number}`}
        placeholder="cn=ops,ou=groups,dc=example,dc=com"
        value={group}
        error={errorAt('group_dn') ?? error}
        disabled={disabled}
        onValue={(text) => onChange({ group_dn: text })}
      />
      <SelectField
        label={`Role of group ${number}`}
        value={role}
        options={ROLES}
        disabled={disabled}
        onValue={(text) => onChange({ org_role: text })}
      />
      <TextField
        label={`Organization of group ${number}`}
        placeholder="1"
        value={String(id)}
        error={errorAt('org_id')}
        disabled={disabled}
        onValue={(text) => onChange({ org_id: /^\d+$/.test(text) ? Number(text) : text })}
      />
      <CheckField
        label={`Group ${number} administers the server`}
        checked={isAdministrator === true}
        disabled={disabled}
        onChecked={(checked) => onChange({ grafana_admin: checked })}
      />
      <Button look="quiet" aria-label={`Remove group ${number}`} disabled={disabled} onPress={onRemove}>
        ✕
      </Button>
    </div>
  );
}
