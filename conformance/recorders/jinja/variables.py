"""variables.py CASES ANSWERS: what Ansible's module `template` makes of templates whose variables are templates.

Needs `pip install ansible-core==2.15.9 jinja2==3.1.4`. Each line of CASES has a `template`, `vars` (YAML as text, or a map) and `files` beside it.
"""
import json, os, signal, sys, tempfile, shutil
os.environ["ANSIBLE_LOCALHOST_WARNING"]="0"; os.environ["HOME"]=tempfile.mkdtemp()
import warnings; warnings.simplefilter("ignore")
from ansible.template import Templar, AnsibleEnvironment
from ansible.parsing.dataloader import DataLoader
from ansible.utils.display import Display
Display.warning = Display.deprecated = lambda *a, **k: None
def alarm(*a): raise TimeoutError("timeout")
signal.signal(signal.SIGALRM, alarm)
import copy
def run(c, d):
    loader=DataLoader(); loader.set_basedir(d)
    v=c.get("vars",{})
    if isinstance(v,str): v=loader.load(v,file_name='vars.yml') or {}
    if c.get('vault'):
        from ansible.parsing.vault import VaultSecret
        loader.set_vault_secrets([('default',VaultSecret(c['vault'].encode()))])
    v=dict(v); 
    sp=[]
    for p in [d]: sp += [os.path.join(p,'templates'),p]
    t=Templar(loader,variables=v).copy_with_new_env(environment_class=AnsibleEnvironment,searchpath=sp,newline_sequence="\n",available_variables=v)
    return t.do_template(c["template"],preserve_trailing_newlines=True,escape_backslashes=False,overrides=dict(trim_blocks=True,lstrip_blocks=False))
if __name__=="__main__":
    out=open(sys.argv[2],"w")
    for line in open(sys.argv[1]):
        c=json.loads(line); d=tempfile.mkdtemp(prefix='ask')
        for n,t in c.get("files",{}).items():
            p=os.path.join(d,n); os.makedirs(os.path.dirname(p),exist_ok=True); open(p,"w").write(t)
        cwd=os.getcwd(); os.chdir(d)
        signal.alarm(10)
        try: r={"result":run(c,d)}
        except BaseException as e:
            if isinstance(e,KeyboardInterrupt): raise
            r={"error":(type(e).__name__+": "+str(e))[:600]}
        finally: signal.alarm(0); os.chdir(cwd); shutil.rmtree(d)
        c.pop("result",None); c.pop("error",None); c.update(r); out.write(json.dumps(c)+"\n")
