/** The same members, which may be written: for an object while it is made. */
export type Mutable<Type> = { -readonly [Member in keyof Type]: Type[Member] };
