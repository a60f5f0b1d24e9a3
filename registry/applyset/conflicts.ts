import { MOST_CAUSES } from '../../pkg/kube/status/causes.js';
import { ApiError, type StatusCause } from '../../pkg/kube/status/status.js';

/** The conflicts of all objects of a request with other managers. */
export class Conflicts {
  readonly #causes: StatusCause[] = [];
  #objects = 0;

  /** Takes the error of an object, if it is a conflict with another manager. */
  take(place: string, error: unknown): boolean {
    if (!(error instanceof ApiError)) return false;
    const { causes = [] } = error.details ?? {};
    if (causes[0]?.reason !== 'FieldManagerConflict') return false;
    this.#objects++;
    // One more than an answer has, so that the answer says that there are more.
    const more = causes.slice(0, MOST_CAUSES + 1 - this.#causes.length);
    this.#causes.push(...more.map((cause) => ({ ...cause, message: `${place}: ${cause.message}` })));
    return true;
  }

  /** Throws 409 with one cause for each field, if there are conflicts. */
  refuse(): void {
    if (this.#objects === 0) return;
    const [first] = this.#causes;
    const count = this.#objects === 1 ? '1 object' : `${this.#objects} objects`;
    const message = `Apply failed: other managers own fields of ${count}. Nothing was changed. First: ${first?.message}: ${first?.field}`;
    throw new ApiError({ code: 409, reason: 'Conflict', message, details: { causes: this.#causes } });
  }
}
