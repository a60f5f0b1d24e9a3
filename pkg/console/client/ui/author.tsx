import { type Authored, authorNames } from '../lib/authors.js';

interface Props {
  /** Such as `user:<name of the object>`. */
  readonly by: string | undefined;
  /** The object that names the author. */
  readonly in: Authored;
}

/** The name of an author, with the login as a tooltip. */
export function Author({ by, in: where }: Props) {
  const { title, login } = authorNames(by, where);
  return (
    <bdi title={login === title || login === '' ? undefined : login} class="author">
      {title}
    </bdi>
  );
}
