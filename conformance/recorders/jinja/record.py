"""record.py CASES ANSWERS TREE: what Ansible makes of templates.

Needs `pip install ansible-core==2.15.9 jinja2==3.1.4 passlib`. Each line of CASES is a case as conformance/jinja/README.md describes it, without an
answer; each line of ANSWERS is its `result`, its `error`, or `odd` where the result is no data. TREE is where relative names of files start.
"""
import json, os, signal, sys, tempfile
cases_path, out_path = sys.argv[1:3]
tree = os.path.abspath(sys.argv[3])
os.environ["ANSIBLE_JINJA2_NATIVE"] = "True"
os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
home = tempfile.mkdtemp()
os.environ["HOME"] = home
out_path=os.path.abspath(out_path); cases_path=os.path.abspath(cases_path)
os.chdir(tree)
import warnings; warnings.simplefilter("ignore")
from ansible.template import Templar, AnsibleEnvironment, _ansible_finalize
from ansible.parsing.dataloader import DataLoader
from ansible.utils.display import Display
Display.warning = Display.deprecated = lambda *a, **k: None
loader = DataLoader(); loader.set_basedir(tree)
try:
    from ansible.plugins.loader import init_plugin_loader; init_plugin_loader([])
except ImportError: pass
from encoding import Odd, dec, enc
def alarm(*a): raise TimeoutError("timeout")
signal.signal(signal.SIGALRM, alarm)
def run(case):
    vars = dec(case.get("vars", {}))
    templar = Templar(loader, variables=vars)
    sp = [os.path.join(tree, "templates"), tree]
    templar.environment.loader.searchpath = sp
    if case.get("mode"):
        t = templar.copy_with_new_env(environment_class=AnsibleEnvironment, searchpath=sp, newline_sequence=case.get("newline", "\n"))
        t.environment.finalize = _ansible_finalize
        return t.do_template(case["template"], preserve_trailing_newlines=True, escape_backslashes=False, overrides=dict(trim_blocks=True, lstrip_blocks=False, **case.get("overrides", {})))
    return templar.template(case["template"], convert_bare=False)
with open(out_path, "w") as out:
    for line in open(cases_path):
        case = json.loads(line)
        signal.alarm(10)
        try:
            r = {"result": enc(run(case))}
        except Odd as e: r = {"odd": str(e)}
        except BaseException as e:
            if isinstance(e, KeyboardInterrupt): raise
            r = {"error": (type(e).__name__ + ": " + str(e))[:600]}
        finally: signal.alarm(0)
        out.write(json.dumps(r) + "\n")
