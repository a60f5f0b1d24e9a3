import type { ComponentChildren } from 'preact';
import { ApiError, wordsOf } from '../lib/api.js';
import { isAnonymous } from '../lib/session.js';

/** Is shown instead of an empty list, with what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

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

/**
 * Why something could not be loaded, in the words of the server. If the caller may not see it, it offers no new
 * attempt, which would not help.
 */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error instanceof ApiError && error.code === 401 && isAnonymous.value)
    return (
      <div role="alert">
        <Empty title="This can be seen after signing in">
          <p>You use the server without an account.</p>
        </Empty>
      </div>
    );
  if (error instanceof ApiError && error.code === 403)
    return (
      <div role="alert">
        <Empty title="You lack a permission">
          <p>{wordsOf(error)}</p>
        </Empty>
      </div>
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
