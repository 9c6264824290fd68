// Run tests in the newest CPython, as WebAssembly (npm's package pyodide).
//
// usage: node newest.mjs PYODIDE_FOLDER PACKAGES CHECKOUT [PYTEST_ARGUMENT...]
//
// PACKAGES is a folder of pure Python packages, rouge-cli's among them. The interpreter
// starts no process: tests that need one deselect themselves, or are left out by the
// caller.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [folder, packages, checkout, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: folder, stdin: () => null });
for (const [path, root] of [["/packages", packages], ["/checkout", checkout]]) {
    python.FS.mkdirTree(path);
    python.FS.mount(python.FS.filesystems.NODEFS, { root }, path);
}
python.globals.set("words", python.toPy(words));
const status = await python.runPythonAsync(`
import os, sys
sys.dont_write_bytecode = True
sys.path[:0] = ["/packages", "/checkout", "/checkout/tests/support"]
os.chdir("/checkout")
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
print("Python", sys.version.split()[0], "on", sys.platform, flush=True)
import pytest
int(pytest.main(["-p", "absent_packages", *words]))
`);
process.exit(status);
