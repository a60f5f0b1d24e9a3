import { ApiError, wordsOf } from '../../lib/api.js';
import { Notice } from '../../ui/states.js';
import { conflictWords } from './conflict-words.js';

/** The most causes that are shown. */
const MOST = 50;

/** Why nothing was planned or applied, with the causes of the server. */
export function Refusal({ error, isForced }: { readonly error: unknown; readonly isForced: boolean }) {
  const causes = error instanceof ApiError ? error.causes : [];
  const isConflict = causes.some(({ reason }) => reason === 'FieldManagerConflict');
  return (
    <Notice look="danger">
      <div class="stack tight">
        <p class="plan-words">{conflictWords(wordsOf(error))}</p>
        {causes.length > 1 && (
          <ul class="plan-causes">
            {causes.slice(0, MOST).map(({ message, field }) => (
              <li key={`${message}${field ?? ''}`}>
                {conflictWords(message)}
                {field !== undefined && field !== '' && (
                  <>
                    {' '}
                    <code>{field}</code>
                  </>
                )}
              </li>
            ))}
            {causes.length > MOST && <li>and {causes.length - MOST} more</li>}
          </ul>
        )}
        {isConflict && !isForced && <p>Force takes over the fields of other managers.</p>}
      </div>
    </Notice>
  );
}
