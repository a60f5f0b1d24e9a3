import { Time } from '../../../ui/time.js';
import type { LastSync } from './settings.js';

/** What the last synchronization with a directory did. */
export function LastSynchronization({ at, people, disabled, enabled, kept, failed = 0, problems }: LastSync) {
  const counts = [
    people === 1 ? '1 person' : `${people.toLocaleString()} people`,
    `${disabled.toLocaleString()} disabled`,
    ...(enabled > 0 ? [`${enabled.toLocaleString()} enabled again`] : []),
    ...(kept > 0 ? [`${kept.toLocaleString()} missing but not disabled`] : []),
    ...(failed > 0 ? [`${failed.toLocaleString()} failed`] : []),
  ];
  return (
    <>
      <p>
        Last synchronization: <Time at={at} />, {counts.join(', ')}
      </p>
      {problems.length > 0 && (
        <ul class="people-plain" aria-label="Why the synchronization is not complete">
          {problems.map((problem) => (
            <li key={problem}>
              <span class="chip warn">Not complete</span>
              <span class="grow" dir="auto">
                {problem}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
