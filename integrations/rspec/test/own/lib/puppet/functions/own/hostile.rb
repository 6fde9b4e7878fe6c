# Tries to reach the system.
Puppet::Functions.create_function(:'own::hostile') do
  dispatch(:attack) { param 'String', :how }

  def attack(how)
    target = '/tmp/hieratic-rspec-hostile'
    case how
    when 'program' then `touch #{target}`
    when 'write' then File.write(target, 'x')
    when 'read' then File.read('/etc/passwd')
    when 'environment' then ENV['HOME']
    when 'loop' then loop {}
    when 'memory' then 'x' * (1 << 40)
    when 'recursion' then attack(how)
    when 'socket' then require 'socket'; TCPSocket.new('127.0.0.1', 1)
    when 'kill' then Process.kill('KILL', Process.ppid)
    when 'exit' then exit!
    end
    how
  end
end
