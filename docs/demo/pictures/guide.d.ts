// Declares the components that docs/demo/build/picturePages.mjs takes from the snippets of guides.
declare module 'guide:react-three-fiber' {
  import type { Contacts, Engine } from 'pfront';
  import type { ObjectBodies } from 'pfront/three';
  import type { ReactNode } from 'react';

  /** Renders its children, and calls `onContacts` in each frame. */
  export function Collisions(props: {
    engine: Engine;
    onContacts: (contacts: Contacts, bodies: ObjectBodies) => void;
    children?: ReactNode;
  }): ReactNode;
}
