import { batch, signal } from '@preact/signals';
import { type Change, changed, read, yamlOf } from '../../../editor/yaml.js';
import { wordsOf } from '../../../lib/api.js';
import { isPassing } from '../../../lib/connection.js';
import type { KubeObject } from '../../../lib/object.js';
import { draftOf, forgetDraft, keepDraft } from './draft.js';
import { EditedText } from './edited-text.js';
import type { EditingOptions } from './editing-options.js';
import { type LastChange, lastChange } from './last-change.js';
import { newMessage, type Proposal, proposalOf, withMessage } from './proposal.js';
import { edited, isNewer, isOutdated, problemsOf, store, type Target } from './saving.js';
import { type Conflict, fieldOf, isEqual, threeWay, valueAt } from './three-way.js';

/** Fields that the server sets at each write. They are not reported as changes of others. */
const BY_SERVER = /^metadata\.(generation$|annotations\["[^"]*\/updated(By|Timestamp)"\]$)/;

/** The editing of one object. Merges the changes of others, and saves. */
export class Editing {
  readonly text: EditedText;
  /** Fields that others have changed, too, with their values. */
  readonly conflicts = signal<readonly Conflict[]>([]);
  /** Fields of others that were merged without a question. */
  readonly taken = signal<readonly string[]>([]);
  /** A newer object, which cannot be merged while the text has syntax errors. */
  readonly waiting = signal<KubeObject | undefined>(undefined);
  readonly isDeleted = signal(false);
  readonly showsManagers = signal(false);
  /** Who has changed the object last meanwhile. */
  readonly others = signal<LastChange | undefined>(undefined);
  /** Why the last attempt to save failed. */
  readonly failure = signal<string | undefined>(undefined);
  /** Whether it failed because the server was away, or the session had ended. */
  readonly isPassingFailure = signal(false);
  readonly proposal = signal<Proposal | undefined>(undefined);
  /** What was typed as the reason of the next version. It stays when the review is closed. */
  reason: string | undefined;
  /** The draft of an earlier visit, while the stored text is shown in its place. */
  readonly draft;
  /** When the draft that is shown was typed. */
  readonly draftShown = signal<number | undefined>(undefined);
  readonly isDraftKept = signal(true);

  readonly #options: EditingOptions;
  /** The object on which the text is based. Its version is the lock. */
  #base: KubeObject | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: EditingOptions) {
    this.#options = options;
    this.#base = options.stored;
    this.draft = signal(draftOf(options.place));
    this.text = new EditedText(this.#textOf(options.stored), options.identity);
    this.text.onSettled = () => this.#settled();
  }

  get isNew(): boolean {
    return this.#options.stored === undefined;
  }

  /** Whether the server keeps the versions of the object, with the messages about them. */
  get hasHistory(): boolean {
    return this.#options.target.resource.subresources.includes('history');
  }

  /** Takes the object as it is stored now. `undefined`: it is deleted. */
  arrived(object: KubeObject | undefined): void {
    // What arrives during a save is mostly what it stored. If the save is refused, it is reviewed again then.
    if (this.#take(object) && this.#saving === undefined) void this.#reviewAgain();
  }

  /** Whether the object was newer than the one that is edited. */
  #take(object: KubeObject | undefined): boolean {
    this.isDeleted.value = object === undefined;
    if (object === undefined || (this.#base !== undefined && !isNewer(object, this.#base))) return false;
    const isDirty = this.text.isDirty.peek();
    const mine = isDirty ? this.text.read().value : undefined;
    this.waiting.value = isDirty && mine === undefined ? object : undefined;
    if (!isDirty) this.#start(object);
    else if (mine !== undefined) this.#merge(object, mine);
    return true;
  }

  /**
   * Others have changed the object while what would be stored is looked at. It is made again, and what was typed as the
   * reason stays.
   */
  async #reviewAgain(): Promise<void> {
    const old = this.proposal.peek();
    if (old === undefined) return;
    if (this.conflicts.peek().length > 0) {
      const obstacle = 'Others have changed the same fields. Go back to the text, and decide which of them are kept.';
      this.proposal.value = { ...old, obstacle };
      return;
    }
    this.proposal.value = { ...old, obstacle: 'Others have changed the object. What would be stored is made again.' };
    await this.propose(true);
  }

  /** Merges the changes of others. Fields that both have changed become conflicts. */
  #merge(theirs: KubeObject, mine: Readonly<Record<string, unknown>>): void {
    const merged = threeWay(this.#base && edited(this.#base), edited(theirs), edited(mine));
    const isAskedAnew = ({ path }: Conflict): boolean => merged.conflicts.some((one) => isEqual(one.path, path));
    const still = this.conflicts
      .peek()
      .filter((one) => !isAskedAnew(one))
      .map((one) => ({ ...one, theirs: valueAt(theirs, one.path) }));
    const fields = merged.changes.map(({ path }) => fieldOf(path)).filter((field) => !BY_SERVER.test(field));
    const before = this.#base;
    this.#base = theirs;
    batch(() => {
      this.others.value = lastChange(theirs, before);
      this.conflicts.value = [...still, ...merged.conflicts];
      this.taken.value = [...new Set([...this.taken.peek(), ...fields])];
      this.#change(merged.changes);
    });
  }

  /** Ends a conflict. */
  resolve(conflict: Conflict, takeTheirs: boolean): void {
    if (takeTheirs) {
      if (this.text.read().value === undefined) {
        this.failure.value = 'Mend the syntax of the text first, so that the field can be written into it.';
        return;
      }
      this.#change([{ path: conflict.path, value: conflict.theirs }]);
    }
    this.conflicts.value = this.conflicts.peek().filter((one) => one !== conflict);
  }

  showManagers(isShown: boolean): void {
    const isDirty = this.text.isDirty.peek();
    if (isDirty && this.text.read().value === undefined) {
      this.failure.value = 'Mend the syntax of the text first, so that the managed fields can be written into it.';
      return;
    }
    this.showsManagers.value = isShown;
    const value = isShown ? this.#base?.metadata.managedFields : undefined;
    this.#change([{ path: ['metadata', 'managedFields'], value }]);
  }

  useDraft(): void {
    const [draft, stored] = [this.draft.peek(), this.#base];
    if (draft === undefined) return;
    this.draft.value = undefined;
    this.draftShown.value = draft.at;
    this.#base = draft.base ?? stored;
    this.text.set(draft.text, this.#textOf(this.#base));
    if (stored !== undefined) this.arrived(stored);
  }

  /** Shows the stored text in place of the draft, which stays. */
  showStored(): void {
    const [text, at, base] = [this.text.value, this.draftShown.peek() ?? Date.now(), this.#base];
    batch(() => {
      // Set first, so that the stored text is not kept as the draft.
      this.draft.value = { text, base, at };
      this.discard();
    });
  }

  dropDraft(): void {
    this.draft.value = undefined;
    forgetDraft(this.#options.place);
  }

  /** Goes back to the stored object. */
  discard(): void {
    const stored = this.waiting.peek() ?? this.#base;
    batch(() => {
      this.#calm();
      this.conflicts.value = [];
      this.waiting.value = undefined;
      this.draftShown.value = undefined;
      this.#start(stored);
    });
  }

  /** Asks the server in a dry run what would be stored. */
  async propose(isRenewed = false): Promise<void> {
    this.#calm();
    const { value, problems } = this.text.read();
    if (value === undefined) {
      const [first] = problems;
      this.failure.value = `The text cannot be read: ${first?.message ?? ''}`;
      this.text.editor.peek()?.show(first?.from ?? 0);
    } else if (this.conflicts.peek().length > 0) {
      this.failure.value = 'Decide first which of the fields that others have changed, too, are to be kept.';
    } else {
      try {
        const { body, warnings } = await store(this.#target, value, true);
        const base = this.#target.lock === undefined ? undefined : this.#base;
        if (isRenewed && this.proposal.peek() === undefined) return;
        const message = this.reason ?? newMessage(value, base);
        this.proposal.value = { ...proposalOf(base, body), warnings, object: value, message, isRenewed };
      } catch (error) {
        await this.#refuse(error);
      }
    }
  }

  /**
   * Stores what was proposed, with a message about why. An empty one is none. Until that has ended, it stores nothing
   * again: Enter may be pressed twice.
   */
  save(message: string): Promise<void> {
    this.#saving ??= this.#save(message).finally(() => {
      this.#saving = undefined;
    });
    return this.#saving;
  }

  async #save(message: string): Promise<void> {
    const proposal = this.proposal.peek();
    if (proposal === undefined) return;
    try {
      const { body } = await store(this.#target, withMessage(proposal.object, message.trim()), false);
      batch(() => {
        this.#calm();
        this.proposal.value = undefined;
        this.reason = undefined;
        this.isDeleted.value = false;
        this.draftShown.value = undefined;
        this.#start(body);
      });
      forgetDraft(this.#options.place);
      this.#options.onSaved(body);
    } catch (error) {
      await this.#refuse(error);
    }
  }

  get #target(): Target {
    const lock = this.isDeleted.peek() ? undefined : this.#base?.metadata.resourceVersion;
    return { ...this.#options.target, lock };
  }

  /** The server is there again, so that it was away says nothing any more. */
  calmIfPassing(): void {
    if (this.isPassingFailure.peek()) this.#calm();
  }

  /** Shows why the server refused, at the lines of the fields. If the object has changed, it is merged instead. */
  async #refuse(error: unknown): Promise<void> {
    const { fetch } = this.#options;
    if (isOutdated(error) && fetch !== undefined) {
      this.#take(await fetch());
      if (this.proposal.peek() !== undefined) await this.#reviewAgain();
      else if (this.conflicts.peek().length === 0 && this.waiting.peek() === undefined)
        this.failure.value = 'Others have changed the object meanwhile. Your text has their changes now. Save again.';
      return;
    }
    this.proposal.value = undefined;
    this.failure.value = wordsOf(error);
    this.isPassingFailure.value = isPassing(error);
    this.text.refuse(problemsOf(error, this.text.parsed()));
  }

  /** Removes the messages about the last attempt. */
  #calm(): void {
    this.failure.value = undefined;
    this.isPassingFailure.value = false;
    this.taken.value = [];
    this.text.refuse([]);
  }

  /**
   * Writes values into the text. If it then equals the stored object, it gets the text of that, and counts as
   * unchanged.
   */
  #change(changes: readonly Change[]): void {
    const unchanged = this.#textOf(this.#base);
    const text = changes.length === 0 ? this.text.value : changed(this.text.value, changes);
    const now = read(text).value;
    const isSame = now !== undefined && this.#base !== undefined && isEqual(edited(now), edited(this.#base));
    this.text.set(isSame ? unchanged : text, unchanged);
  }

  #start(object: KubeObject | undefined): void {
    this.#base = object;
    const text = this.#textOf(object);
    this.text.set(text, text);
  }

  #settled(): void {
    if (this.draft.peek() === undefined) {
      if (!this.text.isDirty.peek()) forgetDraft(this.#options.place);
      else this.isDraftKept.value = keepDraft(this.#options.place, this.text.value, this.#base);
    }
    const waiting = this.waiting.peek();
    if (waiting !== undefined) this.arrived(waiting);
  }

  #textOf(object: KubeObject | undefined): string {
    if (object === undefined) return this.#options.text ?? '';
    const own = edited(object);
    const { managedFields } = object.metadata;
    const isShown = this.showsManagers.peek() && managedFields !== undefined;
    return yamlOf(isShown ? { ...own, metadata: { ...(own['metadata'] as object), managedFields } } : own);
  }
}
