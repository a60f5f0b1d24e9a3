import type { ComponentChildren } from 'preact';
import { ApiError, wordsOf } from '../lib/api.js';
import { isAnonymous } from '../lib/session.js';
import { Empty } from './empty.js';
import { Refused } from './refused.js';

export { Empty };

/** Placeholder lines while something loads. They have its size, so that nothing moves. */
export function Skeleton({ rows = 5, label = 'Loading' }: { readonly rows?: number; readonly label?: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row" />
      ))}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  /** What was tried, if it was not to see something. */
  readonly verb?: string;
  readonly onRetry?: () => void;
}

/**
 * Why something could not be loaded, in the words of the server. If the caller may not see it, it offers no new
 * attempt, which would not help.
 */
export function Failure({ error, verb = 'see', onRetry }: FailureProps) {
  if (error instanceof ApiError && (error.code === 403 || (error.code === 401 && isAnonymous.value)))
    return (
      <Refused
        verb={verb}
        {...(verb !== 'see' && { why: wordsOf(error) })}
        message={error.code === 401 ? undefined : error.message}
      />
    );
  return (
    <div class="notice danger" role="alert">
      <p>{wordsOf(error)}</p>
      {onRetry !== undefined && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Notice({
  look = 'info',
  children,
}: {
  readonly look?: 'info' | 'warn' | 'danger' | 'ok';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`notice ${look}`} role={look === 'info' ? 'note' : 'status'}>
      {children}
    </div>
  );
}
