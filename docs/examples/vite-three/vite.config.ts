// Sets the two HTTP headers that pages need for threads, in Vite's development server and in its preview
// server.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// main.ts uses `await` at the top level of a module, which needs the target es2022.
export default { server: { headers }, preview: { headers }, build: { target: 'es2022' } };
