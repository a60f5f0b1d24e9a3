import { uidOf } from '../../../../../dashboards/model.js';
import { TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { quoted } from '../model/words.js';
import { allInputs, type Candidate, elementCount, hasUid } from './candidates.js';
import { ExistingField, FolderField, InputFields } from './settings.js';
import { SourceField } from './source-field.js';
import { useImport } from './use-import.js';
import './style.css';

/** The errors that are about the title of the only dashboard. */
const FIELDS = { title: /same name|title/ };
const ONE = 'One dashboard can be replaced by one only.';

interface Props {
  readonly parent: string;
  readonly onto?: string | undefined;
  readonly onClose: () => void;
}

/** Imports dashboards from JSON into a folder. With `onto`, it replaces this one. */
export function ImportDialog({ parent, onto, onClose }: Props) {
  const { sources, folder, choice, values, title, ...now } = useImport(parent, onto);
  const { candidates, existing, plan, only } = now;
  const inputs = allInputs(plan);
  const hasReplaced = plan.some(({ overwrite }) => overwrite);
  const needsFolder = onto === undefined && (!hasReplaced || plan.some(({ overwrite }) => !overwrite));
  const missing = inputs.find(
    ({ name, type, value }) => type === 'datasource' && (values.value.get(name) ?? value) === '',
  );
  return (
    <FormDialog
      title={onto === undefined ? 'Import dashboards' : `Replace ${quoted(existing.get(onto)?.title ?? onto)} by JSON`}
      action={plan.length > 1 ? `Import ${plan.length} dashboards` : onto === undefined ? 'Import' : 'Replace'}
      fields={FIELDS}
      onClose={onClose}
      onSubmit={now.submit}
      isWide
      unavailable={whyNot(now, missing?.label, onto)}
    >
      {(errorAt) => (
        <>
          <SourceField sources={sources} problem={now.problem ?? (onto && plan.length > 1 ? ONE : undefined)} />
          {candidates.length > 0 && (
            <>
              <Found candidates={candidates} />
              {onto === undefined && (
                <ExistingField
                  existing={[...existing.values()]}
                  choice={choice}
                  hasOthers={candidates.length > existing.size}
                />
              )}
              {only !== undefined && (
                <TextField
                  label="Title"
                  value={title.value ?? only.dashboard.title}
                  error={errorAt('title')}
                  onValue={(text) => (title.value = text)}
                />
              )}
              <InputFields inputs={inputs} values={values} />
            </>
          )}
          {needsFolder && <FolderField label={hasReplaced ? 'Folder of the new ones' : 'Folder'} folder={folder} />}
        </>
      )}
    </FormDialog>
  );
}

function whyNot(
  { plan, isLooking, hasFailed }: Pick<ReturnType<typeof useImport>, 'plan' | 'isLooking' | 'hasFailed'>,
  missing: string | undefined,
  onto: string | undefined,
): string | undefined {
  if (plan.length === 0) return 'There is nothing to import yet.';
  if (isLooking) return 'The server is being asked what is there already.';
  if (hasFailed) return 'The server did not say what is there already. Change the text, or open this again.';
  if (onto !== undefined && plan.length > 1) return ONE;
  return missing && `Fill in ${missing} first.`;
}

function Found({ candidates }: { readonly candidates: readonly Candidate[] }) {
  const elements = candidates.reduce((sum, { dashboard }) => sum + elementCount(dashboard), 0);
  const along = elements === 1 ? '1 library element comes along' : `${elements} library elements come along`;
  const [first] = candidates;
  const renamed = candidates.find(({ dashboard }) => uidOf(dashboard) !== '' && !hasUid(dashboard));
  const words = candidates.length === 1 ? quoted(first?.dashboard.title ?? '') : `${candidates.length} dashboards`;
  return (
    <p role="status">
      Found {words}.{' '}
      {renamed !== undefined &&
        `${quoted(renamed.dashboard.title)} gets a new uid: its own has other characters than letters, digits, “-” and “_”, or too many. `}
      {elements > 0 && `${along}, unless they are here already.`}
    </p>
  );
}
